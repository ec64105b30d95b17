"use client";
import { PasswordInput, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";
import { callAuth } from "./call-auth";

type Props = { token: string; invitation: { email: string; role: string; accountName: string } };

/** Makes an invited person a staff member and signs them in. */
export function JoinForm({ token, invitation: { email, role, accountName } }: Props) {
  const t = useTranslations("signIn.join");
  const join = api.join.useMutation();
  const form = useServerForm({ name: "", password: "" }, async (joining) => {
    await join.mutateAsync({ token, joining });
    // Without a session the start page asks for a sign-in.
    await callAuth("sign-in/email", { email, password: joining.password }).catch(() => null);
    window.location.assign("/");
  });
  return (
    <Note title={t("title", { account: accountName })} withMark>
      <p>{t.rich("text", { role, email, b: bold })}</p>
      <Form form={form} submit={t("submit")}>
        <TextInput {...form.input("name", t("name"))} autoComplete="name" autoFocus />
        <PasswordInput
          {...form.input("password", t("password"), t("passwordHint"))}
          autoComplete="new-password"
        />
      </Form>
    </Note>
  );
}
