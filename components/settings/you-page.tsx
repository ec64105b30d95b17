"use client";
import { PasswordInput, SimpleGrid } from "@mantine/core";
import { useTranslations } from "use-intl";
import { callAuth } from "../sign-in/call-auth";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";
import { OwnAccount } from "./own-account";
import { SecondFactors } from "./second-factors";
import { Sessions } from "./sessions";

/** The staff member's sign-in methods and email settings. */
export function YouPage() {
  const t = useTranslations("settings.you");
  return (
    <>
      <OwnAccount />
      <h2>{t("password.heading")}</h2>
      <PasswordForm />
      <h2>{t("secondFactor")}</h2>
      <SecondFactors />
      <Sessions />
    </>
  );
}

function PasswordForm() {
  const t = useTranslations("settings.you.password");
  const utils = api.useUtils();
  const form = useServerForm({ currentPassword: "", newPassword: "" }, async (passwords) => {
    await callAuth("change-password", { ...passwords, revokeOtherSessions: true });
    form.reset();
    notify(t("changed"));
    void utils.sessions.invalidate();
  });
  return (
    <Form form={form} submit={t("change")} quiet>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PasswordInput
          label={t("current")}
          autoComplete="current-password"
          {...form.getInputProps("currentPassword")}
        />
        <PasswordInput label={t("new")} autoComplete="new-password" {...form.getInputProps("newPassword")} />
      </SimpleGrid>
    </Form>
  );
}
