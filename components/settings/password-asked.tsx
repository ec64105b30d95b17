"use client";
import { PasswordInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { useServerForm } from "../ui/form";
import { FormDialog } from "../ui/form-dialog";

type Props = {
  title: string;
  text: string;
  /** The submit button's text. */
  submit: string;
  save(password: string): Promise<void>;
  onClose(): void;
};

/** Asks for the password before a change of sign-in methods. */
export function PasswordAsked({ title, text, submit, save, onClose }: Props) {
  const t = useTranslations("settings.you.password");
  const form = useServerForm({ password: "" }, ({ password }) => save(password));
  return (
    <FormDialog title={title} form={form} submit={submit} onClose={onClose}>
      <p>{text}</p>
      <PasswordInput
        label={t("asked")}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps("password")}
      />
    </FormDialog>
  );
}
