"use client";
import { useEffect, useState } from "react";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "long" });
const thisYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const otherYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, or when it was too long ago for that; also how soon. */
export function wordTime(time: Date, now: number): string {
  const distance = time.getTime() - now;
  const size = Math.abs(distance);
  if (size < 45_000) return distance > 0 ? "in a moment" : "just now";
  if (size < HOUR) return relative.format(Math.round(distance / MINUTE), "minute").replace(/minutes?/, "min");
  if (size < DAY) return relative.format(Math.round(distance / HOUR), "hour");
  if (size < 7 * DAY) return relative.format(Math.round(distance / DAY), "day");
  return new Date(now).getFullYear() === time.getFullYear() ? thisYear.format(time) : otherYear.format(time);
}

/** One clock for all times on the page. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A moment: relative, with the absolute time and its zone on hover. */
export function Time({ at }: { at: Date }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => onTick(() => setNow(Date.now())), []);
  return (
    <time dateTime={at.toISOString()} title={absolute.format(at)} suppressHydrationWarning>
      {wordTime(at, now)}
    </time>
  );
}
