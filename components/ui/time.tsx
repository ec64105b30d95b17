import { useLocale, useNow, useTranslations } from "use-intl";
import type { Language } from "@/server/kernel/languages";
import type { Texts } from "../texts/texts";

/** The date locale of each language. English uses British dates. */
export const dateLocales: Record<Language, string> = { en: "en-GB", de: "de-DE", fr: "fr-FR", es: "es-ES" };

const makeFormats = (language: Language) => {
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(dateLocales[language], options);
  return {
    relative: new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "long" }),
    absolute: of({ dateStyle: "long", timeStyle: "long" }),
    thisYear: of({ day: "numeric", month: "short" }),
    otherYear: of({ day: "numeric", month: "short", year: "numeric" }),
    clock: of({ timeStyle: "short" }),
    calendarDay: of({ day: "numeric", month: "short", timeZone: "UTC" }),
    dayThisYear: of({ weekday: "long", day: "numeric", month: "long" }),
    dayOtherYear: of({ dateStyle: "long" }),
  };
};
const made: Partial<Record<Language, ReturnType<typeof makeFormats>>> = {};
const formatsOf = (language: Language) => (made[language] ??= makeFormats(language));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type TimeTexts = Texts<"ui.time">;

/** Formats a relative time, past or future; older times as a date. */
function formatTime(time: Date, now: number, t: TimeTexts, language: Language): string {
  const { relative, thisYear, otherYear } = formatsOf(language);
  const distance = time.getTime() - now;
  const size = Math.abs(distance);
  if (size < 45_000) return distance > 0 ? t("inAMoment") : t("justNow");
  if (size < HOUR) return relative.format(Math.round(distance / MINUTE), "minute").replace(/minutes?/, "min");
  if (size < DAY) return relative.format(Math.round(distance / HOUR), "hour");
  if (size < 7 * DAY) return relative.format(Math.round(distance / DAY), "day");
  return new Date(now).getFullYear() === time.getFullYear() ? thisYear.format(time) : otherYear.format(time);
}

/** A relative time. Hover shows the absolute time and its zone. */
export function Time({ at }: { at: Date }) {
  const t = useTranslations("ui.time");
  const language = useLocale();
  const now = useNow({ updateInterval: 30_000 }).getTime();
  const title = formatsOf(language).absolute.format(at);
  return (
    <time dateTime={at.toISOString()} title={title} suppressHydrationWarning>
      {formatTime(at, now, t, language)}
    </time>
  );
}

/** Formats a date: "3 Feb 2018". */
export function useDateText(): (at: Date) => string {
  const { otherYear } = formatsOf(useLocale());
  return otherYear.format;
}

/** Formats a calendar day such as "2026-02-03": "3 Feb". */
export function useCalendarDay(): (day: string) => string {
  const { calendarDay } = formatsOf(useLocale());
  return (day) => calendarDay.format(new Date(`${day}T00:00:00Z`));
}

/** Formats a duration in its largest fitting unit: "4 min", "3 hours". */
export function useDurationText(): (seconds: number) => string {
  const t = useTranslations("ui.time.duration");
  return (seconds) => {
    if (seconds < 90) return t("seconds", { n: Math.max(1, Math.round(seconds)) });
    if (seconds < 5400) return t("minutes", { n: Math.round(seconds / 60) });
    if (seconds < 129_600) return t("hours", { n: Math.round(seconds / 3600) });
    return t("days", { n: Math.round(seconds / 86_400) });
  };
}

/** A clock time below a day's name. Hover shows the absolute time and its zone. */
export function ClockTime({ at }: { at: Date }) {
  const { absolute, clock } = formatsOf(useLocale());
  return (
    <time dateTime={at.toISOString()} title={absolute.format(at)}>
      {clock.format(at)}
    </time>
  );
}

/** Names a moment's day in this machine's time zone: Today, Yesterday, Monday 16 November, 3 March 2024. */
export function dayName(at: Date, t: TimeTexts, language: Language, now = new Date()): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return t("today");
  if (at.toDateString() === yesterday.toDateString()) return t("yesterday");
  const { dayThisYear, dayOtherYear } = formatsOf(language);
  return (at.getFullYear() === now.getFullYear() ? dayThisYear : dayOtherYear).format(at);
}

/** Names a moment's day in the reader's language. */
export function useDayName(): (at: Date) => string {
  const t = useTranslations("ui.time");
  const language = useLocale();
  return (at) => dayName(at, t, language);
}
