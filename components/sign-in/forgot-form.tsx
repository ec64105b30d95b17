"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { resetLinkMinutes } from "@/server/kernel/link-lifetimes";
import { bold } from "../texts/bold";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";

/** Requests a password reset email. The response is the same for known and unknown addresses. */
export function ForgotForm() {
  const t = useTranslations("signIn.forgot");
  const forgot = api.own.forgot.useMutation();
  const form = useServerForm({ email: "" }, ({ email }) => forgot.mutateAsync({ email }));
  if (forgot.isSuccess)
    return (
      <Note title={t("sentTitle")} link={["/sign-in", t("back")]}>
        <p role="status">
          {t.rich("sent", { email: forgot.variables.email, minutes: resetLinkMinutes, b: bold })}
        </p>
      </Note>
    );
  return (
    <Note title={t("title")} link={["/sign-in", t("back")]} withMark>
      <p>{t("text")}</p>
      <Form form={form} submit={t("submit")}>
        <TextInput {...form.input("email", t("email"))} type="email" autoComplete="username" autoFocus />
      </Form>
    </Note>
  );
}
