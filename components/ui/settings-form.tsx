"use client";
import type { ComponentProps } from "react";
import { useTranslations } from "use-intl";
import { Form, useServerForm } from "./form";
import { notify } from "./notify";
import { useUnsaved } from "./unsaved";

type Saved<Values> = {
  /** The values at opening or at the last save. They prevent overwriting another person's edit. */
  was: Values;
};

/**
 * A form for saved settings. Leaving the page with unsaved changes asks first.
 * @param save stores the values; returns the notification's text
 */
export function useSettingsForm<Values extends Record<string, unknown>>(
  initial: Values,
  save: (values: Values, saved: Saved<Values>) => Promise<string>,
) {
  const form = useServerForm(initial, async (values, { was }) => {
    const message = await save(values, { was });
    form.resetDirty();
    notify(message);
  });
  useUnsaved(form.isDirty());
  return form;
}

type Props<Values extends Record<string, unknown>> = Omit<
  ComponentProps<typeof Form>,
  "form" | "submit" | "disabled"
> & {
  submit?: string;
  form: ReturnType<typeof useSettingsForm<Values>>;
};

/** Renders the fields and a save button, which is enabled by a change. */
export function SettingsForm<Values extends Record<string, unknown>>({ form, ...props }: Props<Values>) {
  const t = useTranslations("ui.form");
  return <Form form={form} submit={t("save")} disabled={!form.isDirty()} {...props} />;
}
