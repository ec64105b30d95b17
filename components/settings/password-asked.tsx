"use client";
import { PasswordInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";

type Props = {
  title: string;
  text: string;
  /** What the button says. */
  submit: string;
  save(password: string): Promise<void>;
  onClose(): void;
};

/** Asks for one's password before a change of how one signs in. */
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
