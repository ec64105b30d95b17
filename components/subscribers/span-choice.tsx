"use client";
import { Popover, PopoverDropdown, PopoverTarget } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { ChoiceButton } from "../ui/choice";
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
  const [opened, setOpened] = useState(false);
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
        <ChoiceButton
          label={label}
          chosen={value && formatSpan(value, t, language)}
          onClick={() => setOpened(!opened)}
        />
      </PopoverTarget>
      <PopoverDropdown aria-label={label}>
        {opened && <SpanPicker value={value} onChange={onChange} onDone={() => setOpened(false)} />}
      </PopoverDropdown>
    </Popover>
  );
}
