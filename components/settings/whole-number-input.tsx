import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { flushSync } from "react-dom";
import { useLocale } from "use-intl";

type Props = Omit<TextInputProps, "value" | "onChange" | "min" | "max"> & {
  /** "" while the input is empty. */
  value?: number | string;
  onChange?(value: number | string): void;
  /** The bounds of the arrow keys. The server rejects typed numbers beyond its limits. */
  min?: number;
  max?: number;
};

const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 };

/**
 * An input for whole numbers, shown in the reader's language: 1,000 or 1.000. While it has the focus, it shows digits,
 * and the arrow keys step.
 */
export function WholeNumberInput({
  value = "",
  onChange,
  onFocus,
  onBlur,
  min = 1,
  max = Number.MAX_SAFE_INTEGER,
  ...props
}: Props) {
  const format = new Intl.NumberFormat(useLocale());
  const [isEdited, setEdited] = useState(false);
  const formatted = typeof value === "number" ? format.format(value) : value;
  return (
    <TextInput
      inputMode="numeric"
      role="spinbutton"
      aria-valuemin={min}
      aria-valuemax={max}
      {...(typeof value === "number" && { "aria-valuenow": value, "aria-valuetext": formatted })}
      value={isEdited ? value : formatted}
      onKeyDown={(event) => {
        const by = steps[event.key];
        if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onChange?.(value === "" ? min : Math.min(max, Math.max(min, Number(value) + by)));
      }}
      onFocus={(event) => {
        flushSync(() => setEdited(true));
        // Tab selects the text, and the change to digits undoes it.
        event.currentTarget.select();
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setEdited(false);
        onBlur?.(event);
      }}
      onChange={({ currentTarget }) => {
        const digits = currentTarget.value.replace(/\D/g, "");
        onChange?.(digits === "" ? "" : Number(digits));
      }}
      {...props}
    />
  );
}
