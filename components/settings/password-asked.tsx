"use client";
import { PasswordInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";

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
    <Dialog onClose={onClose} title={title}>
      <Form form={form} submit={submit} atEnd>
        <p>{text}</p>
        <PasswordInput
          label={t("asked")}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps("password")}
        />
      </Form>
    </Dialog>
  );
}
