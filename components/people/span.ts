import type { Span } from "./view-state";

/** The usual spans, each ending today. */
export const presets = [
  { days: 1, label: "Today" },
  { days: 7, label: "Last 7 days" },
  { days: 30, label: "Last 30 days" },
  { days: 90, label: "Last 90 days" },
];

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
/** @param day YYYY-MM-DD */
export const formatDay = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));

export function formatSpan(span: Span): string {
  if ("days" in span) {
    return presets.find(({ days }) => days === span.days)?.label ?? `Last ${span.days} days`;
  }
  const { from, to } = span;
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  return from ? `since ${formatDay(from)}` : `until ${formatDay(to as string)}`;
}
