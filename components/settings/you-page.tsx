"use client";
import { Button, NativeSelect, PasswordInput, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { emailLinkMinutes } from "@/server/kernel/durations";
import { isLanguage } from "@/server/kernel/languages";
import { useViewer } from "../shell/viewer";
import { callAuth } from "../sign-in/call-auth";
import { languageOptions } from "../texts/language-options";
import { api, changesFrame } from "../trpc";
import { Form, useServerForm, useSettingsForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notifyError, notifying } from "../ui/notify";
import { Row } from "../ui/states";
import { Time } from "../ui/time";
import { useUnsaved } from "../ui/unsaved";
import { SecondFactors, useDeviceName } from "./second-factors";

/** The staff member's sign-in methods and email settings. */
export function YouPage() {
  const t = useTranslations("settings.you");
  const { sends, staff } = useViewer();
  return (
    <>
      <NameForm />
      <LanguageChoice />
      <h2>{t("email.heading")}</h2>
      {sends ? <EmailForm /> : <p className={kit.quiet}>{t("email.notSetUp", { email: staff.email })}</p>}
      <h2>{t("digest.heading")}</h2>
      <Digest />
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
  const save = async (passwords: { currentPassword: string; newPassword: string }) => {
    await callAuth("change-password", { ...passwords, revokeOtherSessions: true });
    void utils.sessions.invalidate();
    return t("changed");
  };
  const form = useSettingsForm({ currentPassword: "", newPassword: "" }, save, [
    "currentPassword",
    "newPassword",
  ]);
  return (
    <Form form={form} submit={t("change")} quiet>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PasswordInput {...form.input("currentPassword", t("current"))} autoComplete="current-password" />
        <PasswordInput {...form.input("newPassword", t("new"))} autoComplete="new-password" />
      </SimpleGrid>
    </Form>
  );
}

function Digest() {
  const t = useTranslations("settings.you.digest");
  const { sends } = useViewer();
  const query = api.own.digest.useQuery();
  const cached = api.useUtils().own.digest;
  const set = api.own.setDigest.useMutation({
    onSuccess: (_, { weekly }) => cached.setData(undefined, { weekly }),
    onError: notifyError,
  });
  const weekly = query.data?.weekly;
  return (
    <Switch
      label={t("label")}
      description={sends ? t("contents") : t("notSetUp")}
      checked={weekly ?? false}
      disabled={weekly === undefined || set.isPending}
      onChange={(event) => set.mutate({ weekly: event.currentTarget.checked })}
    />
  );
}

function NameForm() {
  const t = useTranslations("settings.you");
  const { staff } = useViewer();
  const rename = api.own.rename.useMutation(changesFrame);
  const form = useSettingsForm({ name: staff.name }, async ({ name }) => {
    await rename.mutateAsync({ name });
    return t("nameChanged");
  });
  return (
    <Form form={form} submit={t("changeName")} quiet>
      <TextInput {...form.input("name", t("yourName"))} autoComplete="name" />
    </Form>
  );
}

function EmailForm() {
  const t = useTranslations("settings.you.email");
  const { staff } = useViewer();
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const change = api.own.changeEmail.useMutation();
  const form = useServerForm({ email: "" }, async ({ email }) => {
    await change.mutateAsync({ email });
    setAskedFor(email);
    form.reset();
  });
  useUnsaved(form.isDirty());
  return (
    <Stack gap="xs">
      <Form form={form} submit={t("change")} quiet>
        <TextInput
          {...form.input("email", t("newAddress"), t("newAddressHint", { email: staff.email }))}
          type="email"
          autoComplete="email"
        />
      </Form>
      {askedFor && (
        <p role="status" className={kit.quiet}>
          {t("linkSent", { email: askedFor, minutes: emailLinkMinutes })}
        </p>
      )}
    </Stack>
  );
}

/** The staff member's language for the dashboard. */
function LanguageChoice() {
  const t = useTranslations("settings.language");
  const { staff } = useViewer();
  const set = api.own.setLanguage.useMutation({ ...changesFrame, onError: notifyError });
  return (
    <NativeSelect
      mt="md"
      label={t("label")}
      description={t("description")}
      data={[{ value: "", label: t("browser") }, ...languageOptions]}
      value={staff.language ?? ""}
      disabled={set.isPending}
      onChange={({ currentTarget: { value } }) => set.mutate({ language: isLanguage(value) ? value : null })}
    />
  );
}

/** The staff member's sessions. All but the current one can be ended. */
function Sessions() {
  const t = useTranslations("settings.you.sessions");
  const nameOf = useDeviceName();
  const query = api.sessions.list.useQuery();
  const end = api.sessions.end.useMutation(notifying(t("signedOut")));
  const endOthers = api.sessions.endOthers.useMutation(notifying(t("signedOut")));
  return (
    <>
      <h2>{t("heading")}</h2>
      <Loaded query={query} rows={2}>
        {(sessions) => (
          <>
            <ul className={kit.rows}>
              {sessions.map((session) => (
                <Row
                  key={session.id}
                  title={nameOf(session.userAgent)}
                  note={
                    <>
                      {session.ipAddress || t("unknownAddress")} ·{" "}
                      {t.rich("since", { time: () => <Time at={session.createdAt} /> })}
                    </>
                  }
                >
                  {session.current ? (
                    <span className={kit.quiet}>{t("thisOne")}</span>
                  ) : (
                    <Button variant="default" onClick={() => end.mutate({ id: session.id })}>
                      {t("signOut")}
                    </Button>
                  )}
                </Row>
              ))}
            </ul>
            {sessions.length > 1 && (
              <Button
                variant="default"
                mt="md"
                loading={endOthers.isPending}
                onClick={() => endOthers.mutate()}
              >
                {t("signOutOthers")}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
