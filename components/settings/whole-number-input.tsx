import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useLocale } from "use-intl";

/** An input for whole numbers, in the reader's language: 1,000 or 1.000. */
export function WholeNumberInput(props: NumberInputProps) {
  const parts = new Intl.NumberFormat(useLocale()).formatToParts(1_000_000.5);
  const find = (kind: "group" | "decimal") => parts.find(({ type }) => type === kind)?.value;
  return (
    <NumberInput
      min={1}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      clampBehavior="none"
      thousandSeparator={find("group") ?? ","}
      decimalSeparator={find("decimal") ?? "."}
      {...props}
    />
  );
}
