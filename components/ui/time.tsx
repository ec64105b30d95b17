"use client";
import { useEffect, useState } from "react";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "long" });
const thisYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const otherYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const dayThisYear = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const dayOtherYear = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, or when it was too long ago for that; also how soon. */
function formatTime(time: Date, now: number): string {
  const distance = time.getTime() - now;
  const size = Math.abs(distance);
  if (size < 45_000) return distance > 0 ? "in a moment" : "just now";
  if (size < HOUR) return relative.format(Math.round(distance / MINUTE), "minute").replace(/minutes?/, "min");
  if (size < DAY) return relative.format(Math.round(distance / HOUR), "hour");
  if (size < 7 * DAY) return relative.format(Math.round(distance / DAY), "day");
  return new Date(now).getFullYear() === time.getFullYear() ? thisYear.format(time) : otherYear.format(time);
}

/** A moment: relative, with the absolute time and its zone on hover. */
export function Time({ at }: { at: Date }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at.toISOString()} title={absolute.format(at)} suppressHydrationWarning>
      {formatTime(at, now)}
    </time>
  );
}

/** When on its day a moment was, with the absolute time and its zone on hover; beneath the name of the day. */
export function ClockTime({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={absolute.format(at)}>
      {clock.format(at)}
    </time>
  );
}

/** What people call a moment's day, by the clock of this machine: Today, Yesterday, Monday 16 November, 3 March 2024. */
export function dayName(at: Date, now = new Date()): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return "Today";
  if (at.toDateString() === yesterday.toDateString()) return "Yesterday";
  return (at.getFullYear() === now.getFullYear() ? dayThisYear : dayOtherYear).format(at);
}
