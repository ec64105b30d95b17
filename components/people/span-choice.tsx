"use client";
import { Button, Popover, PopoverDropdown, PopoverTarget } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { icons } from "../ui/icons";
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

const dayWord = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const wordDay = (day: string) => dayWord.format(new Date(`${day}T00:00:00Z`));

function wordSpan(span: Span): string {
  if ("days" in span)
    return presets.find(({ days }) => days === span.days)?.label ?? `Last ${span.days} days`;
  if (span.from && span.to)
    return span.from === span.to ? wordDay(span.from) : `${wordDay(span.from)} – ${wordDay(span.to)}`;
  return span.from ? `since ${wordDay(span.from)}` : `until ${wordDay(span.to as string)}`;
}

type Props = { label: string; value: Span | null; onChange(span: Span | null): void };

/** A span of days: one of the usual ones, or a first and a last day of one's own, either of which may be left out. */
export function SpanChoice({ label, value, onChange }: Props) {
  const [opened, setOpened] = useState(false);
  const own = value && "from" in value ? value : null;
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
        <Button
          variant="default"
          className={styles.choice}
          data-set={value ? true : undefined}
          rightSection={<icons.down />}
          onClick={() => setOpened(!opened)}
        >
          {value ? `${label}: ${wordSpan(value)}` : label}
        </Button>
      </PopoverTarget>
      <PopoverDropdown className={styles.span} aria-label={label}>
        <div className={styles.presets}>
          {presets.map(({ days, label: word }) => (
            <button
              key={days}
              type="button"
              aria-pressed={value !== null && "days" in value && value.days === days}
              onClick={() => choose({ days })}
            >
              {word}
            </button>
          ))}
          <button type="button" className={styles.any} disabled={!value} onClick={() => choose(null)}>
            Any time
          </button>
        </div>
        <div>
          {opened && (
            <DayRange
              from={own?.from ?? null}
              to={own?.to ?? null}
              onChange={(from, to) => {
                if (from && to) choose({ from, to });
                else onChange(from || to ? { from, to } : null);
              }}
            />
          )}
          <p className={styles.spanNote}>
            {own?.from && !own.to ? (
              <>
                Since {wordDay(own.from)}. Choose a last day, or{" "}
                <button
                  type="button"
                  className={styles.link}
                  onClick={() => choose({ from: null, to: own.from })}
                >
                  until then
                </button>
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
