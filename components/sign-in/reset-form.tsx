"use client";
import { PasswordInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";

/** Sets a new password for the account of the emailed link. */
export function ResetForm({ token, email }: { token: string; email: string }) {
  const t = useTranslations("signIn.reset");
  const reset = api.own.reset.useMutation();
  const form = useServerForm({ password: "" }, ({ password }) => reset.mutateAsync({ token, password }));
  if (reset.isSuccess)
    return (
      <Note title={t("doneTitle")} link={["/sign-in", t("signIn")]}>
        <p role="status">{t("done")}</p>
      </Note>
    );
  return (
    <Note title={t("title")} withMark>
      <p>{t.rich("text", { email, b: bold })}</p>
      <Form form={form} submit={t("submit")}>
        {/* Password managers read the account's address here. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          {...form.input("password", t("newPassword"), t("newPasswordHint"))}
          autoComplete="new-password"
          autoFocus
        />
      </Form>
    </Note>
  );
}
