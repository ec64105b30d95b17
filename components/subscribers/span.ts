import { createParser } from "nuqs";
import type { Language } from "@/server/kernel/languages";
import type { Texts } from "../texts/texts";
import { dateLocales } from "../ui/time";

/** Some days ending today, or a first and a last day (YYYY-MM-DD), either of which may be missing. */
export type Span = { days: number } | { from: string | null; to: string | null };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The address format: "7d", or "2026-03-01..2026-03-31". Either end may be missing. */
export const parseAsSpan = createParser<Span>({
  parse(text) {
    const days = /^([1-9]\d{0,3})d$/.exec(text);
    if (days) return { days: Number(days[1]) };
    const [from, to] = text
      .split("..")
      .map((part) => (DAY.test(part) && !Number.isNaN(Date.parse(part)) ? part : null));
    return from || to ? { from: from ?? null, to: to ?? null } : null;
  },
  serialize: (span) => ("days" in span ? `${span.days}d` : `${span.from ?? ""}..${span.to ?? ""}`),
  eq: (a, b) => JSON.stringify(a) === JSON.stringify(b),
});

/** The start of the day that many days ago, in the reader's time zone. */
export function daysAgo(days: number): Date {
  const today = new Date();
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
}

/** The span's moments, from the start of its first day to the end of its last, in the reader's time zone. */
export function momentsOf(span: Span | null): { from?: Date; before?: Date } {
  if (!span) return {};
  if ("days" in span) return { from: daysAgo(span.days - 1) };
  const startOf = (text: string, plus = 0) => {
    const [year = 0, month = 1, day = 1] = text.split("-").map(Number);
    return new Date(year, month - 1, day + plus);
  };
  return {
    ...(span.from && { from: startOf(span.from) }),
    ...(span.to && { before: startOf(span.to, 1) }),
  };
}

/** Preset spans, in days. */
export const usualDays = [1, 7, 30, 90];

/** @param day YYYY-MM-DD */
export const formatDay = (day: string, language: Language) =>
  new Intl.DateTimeFormat(dateLocales[language], {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${day}T00:00:00Z`));

export function formatSpan(span: Span, t: Texts<"people.span">, language: Language): string {
  if ("days" in span) return t("lastDays", { n: span.days });
  const from = span.from && formatDay(span.from, language);
  const to = span.to && formatDay(span.to, language);
  if (from && to) return from === to ? from : t("fromTo", { from, to });
  return from ? t("since", { day: from }) : t("until", { day: to ?? "" });
}
