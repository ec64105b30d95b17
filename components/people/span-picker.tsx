"use client";
import "@mantine/dates/styles.layer.css";
import { Anchor } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import { useState } from "react";
import kit from "../ui/kit.module.css";
import styles from "./people.module.css";
import { daysAgo, formatDay, presets, type Span } from "./span";

type Days = [from: string | null, to: string | null];
type Props = { value: Span | null; onChange(span: Span | null): void; onDone(): void };

/** A day as the date picker writes it: YYYY-MM-DD, in the reader's time zone. */
const dayBefore = (days: number) => daysAgo(days).toLocaleDateString("sv-SE");

/** A span of days: one of the usual ones, or a first and a last day, either of which may be missing. */
export default function SpanPicker({ value, onChange, onDone }: Props) {
  const { from = null, to = null } = value && "from" in value ? value : {};
  const [days, setDays] = useState<Days>([from ?? to, from && to]);
  const choose = (span: Span | null) => {
    onChange(span);
    onDone();
  };
  const change = ([first, last]: Days) => {
    setDays([first, last]);
    if (!first || !last) return onChange(first || last ? { from: first, to: last } : null);
    // With a first day chosen already, the last one is meant as a date; otherwise it is one of the usual spans.
    const usual = days[0] && !days[1] ? undefined : presets.find((one) => dayBefore(one.days - 1) === first);
    choose(usual && last === dayBefore(0) ? { days: usual.days } : { from: first, to: last });
  };
  const since = days[0] && !days[1] ? days[0] : null;
  return (
    <>
      <DatePicker
        className={styles.picker}
        type="range"
        size="sm"
        allowSingleDateInRange
        hideOutsideDates
        defaultDate={from ?? to ?? dayBefore(0)}
        maxDate={dayBefore(0)}
        // Red is for what is wrong, and a Sunday is not.
        weekendDays={[]}
        presets={presets.map(({ days: length, label }) => ({
          label,
          value: [dayBefore(length - 1), dayBefore(0)] as Days,
        }))}
        value={days}
        onChange={change}
        ariaLabels={{ nextMonth: "Next month", previousMonth: "Previous month" }}
      />
      <p className={kit.quiet}>
        {since ? `Since ${formatDay(since)}. Choose a last day, or ` : "Choose a first and a last day"}
        {since ? (
          <Anchor component="button" type="button" fz="sm" onClick={() => choose({ from: null, to: since })}>
            until
          </Anchor>
        ) : (
          value && ", or "
        )}
        {value && !since && (
          <Anchor component="button" type="button" fz="sm" onClick={() => choose(null)}>
            any time
          </Anchor>
        )}
        .
      </p>
    </>
  );
}
