"use client";
import "@mantine/dates/styles.layer.css";
import { DatePicker } from "@mantine/dates";
import { useState } from "react";
import styles from "./people.module.css";

type Props = {
  /** Days as YYYY-MM-DD. */
  from: string | null;
  to: string | null;
  onChange(from: string | null, to: string | null): void;
};

const today = () => new Date().toLocaleDateString("sv-SE");

/** A month's days, of which two are chosen. */
export default function DayRange({ from, to, onChange }: Props) {
  const [value, setValue] = useState<[string | null, string | null]>([from ?? to, from ? to : to]);
  return (
    <DatePicker
      className={styles.calendar}
      type="range"
      size="sm"
      allowSingleDateInRange
      hideOutsideDates
      defaultDate={from ?? to ?? today()}
      maxDate={today()}
      // Red is for what is wrong, and a Sunday is not.
      weekendDays={[]}
      value={value}
      onChange={(next) => {
        setValue(next);
        onChange(...next);
      }}
      ariaLabels={{ nextMonth: "Next month", previousMonth: "Previous month" }}
    />
  );
}
