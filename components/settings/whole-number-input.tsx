import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { useLocale } from "use-intl";

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  /** "" while the input is empty. */
  value?: number | string;
  onChange?(value: number | string): void;
};

/** An input for whole numbers, shown in the reader's language: 1,000 or 1.000. While it has the focus, it shows digits. */
export function WholeNumberInput({ value = "", onChange, onFocus, onBlur, ...props }: Props) {
  const format = new Intl.NumberFormat(useLocale());
  const [isEdited, setEdited] = useState(false);
  return (
    <TextInput
      inputMode="numeric"
      value={typeof value === "number" && !isEdited ? format.format(value) : value}
      onFocus={(event) => {
        setEdited(true);
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
