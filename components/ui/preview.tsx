import { SegmentedControl, Stack, useComputedColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../trpc";

type Look = "light" | "dark" | "text";
type Props = {
  looks: readonly Look[];
  className?: string;
  /** The fields changed after this preview was rendered. */
  stale?: boolean;
  children(look: Look): ReactNode;
};

/** A preview in the dashboard's colour scheme, or in another look. */
export function Preview({ looks, className, stale, children }: Props) {
  const t = useTranslations("ui.preview");
  const scheme = useComputedColorScheme("light");
  const [chosen, setChosen] = useState<Look | null>(null);
  const look = chosen ?? scheme;
  return (
    <Stack
      component="section"
      gap="xs"
      align="flex-start"
      className={className}
      aria-label={t("label")}
      aria-busy={stale}
    >
      <SegmentedControl
        data={looks.map((value) => ({ value, label: t(`looks.${value}`) }))}
        value={look}
        onChange={setChosen}
        size="xs"
        aria-label={t("options")}
      />
      {children(look)}
    </Stack>
  );
}

type Render<Input, Page> = (
  input: Input,
  then: { onSuccess(page: Page): void; onError(error: unknown): void },
) => void;

/**
 * Renders a page or an email with a form's current values. The previous preview stays until the next arrives.
 * @param render the `mutate` of the mutation that renders it
 * @param setErrors shows errors at the form's fields
 */
export function usePreview<Input, Page>(
  render: Render<Input, Page>,
  input: Input,
  setErrors: (errors: Record<string, string[]>) => void,
) {
  // Compared as text: each render of the form creates a new object of the same values.
  const text = JSON.stringify(input);
  const [settled] = useDebouncedValue(text, 250);
  const [page, setPage] = useState<Page>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    render(JSON.parse(settled), {
      onSuccess: (rendered) => {
        setPage(rendered);
        setFailed(false);
      },
      onError: (error) => {
        setErrors(rejectionOf(error).errors);
        setFailed(true);
      },
    });
  }, [settled, render, setErrors]);
  return { page, stale: failed || settled !== text };
}
