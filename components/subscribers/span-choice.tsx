"use client";
import dynamic from "next/dynamic";
import { useLocale, useTranslations } from "use-intl";
import { PopoverChoice } from "../ui/choice";
import styles from "./people.module.css";
import { formatSpan, type Span } from "./span";

// The calendar weighs 30 kB, and most visits never open it.
const SpanPicker = dynamic(() => import("./span-picker"), {
  ssr: false,
  loading: () => <div className={styles.picker} />,
});

type Props = { label: string; value: Span | null; onChange(span: Span | null): void };

/** A span of days, as a button that opens the calendar. */
export function SpanChoice({ label, value, onChange }: Props) {
  const t = useTranslations("people.span");
  const language = useLocale();
  return (
    <PopoverChoice label={label} chosen={value && formatSpan(value, t, language)}>
      {(close) => <SpanPicker value={value} onChange={onChange} onDone={close} />}
    </PopoverChoice>
  );
}
