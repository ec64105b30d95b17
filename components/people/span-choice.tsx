"use client";
import { Anchor, Button, Popover, PopoverDropdown, PopoverTarget } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ChoiceButton } from "../ui/choice";
import kit from "../ui/kit.module.css";
import styles from "./people.module.css";
import type { Span } from "./view-state";

// A calendar is 30 kB that most visits never ask for.
const DayRange = dynamic(() => import("./day-range"), {
  ssr: false,
  loading: () => <div className={styles.calendar} />,
});

const presets = [
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
const formatDay = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));

function formatSpan(span: Span): string {
  if ("days" in span) {
    return presets.find(({ days }) => days === span.days)?.label ?? `Last ${span.days} days`;
  }
  const { from, to } = span;
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  return from ? `since ${formatDay(from)}` : `until ${formatDay(to as string)}`;
}

type Props = { label: string; value: Span | null; onChange(span: Span | null): void };

/** A span of days: one of the usual ones, or a first and a last day, either of which may be missing. */
export function SpanChoice({ label, value, onChange }: Props) {
  const [opened, setOpened] = useState(false);
  const { from = null, to = null } = value && "from" in value ? value : {};
  const choose = (span: Span | null) => {
    onChange(span);
    setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      transitionProps={{ duration: 120 }}
      trapFocus
      returnFocus
    >
      <PopoverTarget>
        <ChoiceButton label={label} chosen={value && formatSpan(value)} onClick={() => setOpened(!opened)} />
      </PopoverTarget>
      <PopoverDropdown className={styles.span} aria-label={label}>
        <div className={styles.presets}>
          {presets.map(({ days, label: word }) => {
            const pressed = value !== null && "days" in value && value.days === days;
            return (
              <Button
                key={days}
                variant={pressed ? "light" : "subtle"}
                color={pressed ? "act" : "gray"}
                justify="start"
                fw={400}
                aria-pressed={pressed}
                onClick={() => choose({ days })}
              >
                {word}
              </Button>
            );
          })}
          {value && (
            <Button variant="subtle" color="gray" justify="start" fw={400} onClick={() => choose(null)}>
              Any time
            </Button>
          )}
        </div>
        <div>
          {opened && (
            <DayRange
              from={from}
              to={to}
              onChange={(first, last) => {
                if (first && last) choose({ from: first, to: last });
                else onChange(first || last ? { from: first, to: last } : null);
              }}
            />
          )}
          <p className={kit.quiet}>
            {from && !to ? (
              <>
                Since {formatDay(from)}. Choose a last day, or{" "}
                <Anchor component="button" type="button" onClick={() => choose({ from: null, to: from })}>
                  until then
                </Anchor>
                .
              </>
            ) : (
              "Choose a first and a last day."
            )}
          </p>
        </div>
      </PopoverDropdown>
    </Popover>
  );
}
