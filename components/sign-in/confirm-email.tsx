"use client";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";

/** Changes the sign-in address to the address that received the link. */
export function ConfirmEmail({ token, email }: { token: string; email: string }) {
  const t = useTranslations("signIn.confirmEmail");
  const confirm = api.own.confirmEmail.useMutation();
  const form = useServerForm({}, () => confirm.mutateAsync({ token }));
  if (confirm.isSuccess)
    return (
      <Note title={t("doneTitle")} link={["/", t("open")]}>
        <p role="status">{t.rich("done", { email, b: bold })}</p>
      </Note>
    );
  return (
    <Note title={t("title")} withMark>
      <p>{t.rich("text", { email, b: bold })}</p>
      <Form form={form} submit={t("submit")}>
        {null}
      </Form>
    </Note>
  );
}
