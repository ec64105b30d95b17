"use client";
import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { isLanguage } from "@/server/kernel/languages";
import { emailLinkMinutes } from "@/server/kernel/link-lifetimes";
import { useViewer } from "../shell/viewer";
import { languageOptions } from "../texts/language-options";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify, notifyError } from "../ui/notify";
import { shownAtOnce } from "../ui/shown-at-once";

/** The staff member's own name and sign-in address. */
export function OwnAccount() {
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
    </>
  );
}

/** The weekly digest email, on or off. */
function Digest() {
  const t = useTranslations("settings.you.digest");
  const { sends } = useViewer();
  const query = api.own.digest.useQuery();
  const cached = api.useUtils().own.digest;
  const set = api.own.setDigest.useMutation(
    shownAtOnce(cached, undefined, (_before, { weekly }: { weekly: boolean }) => ({ weekly })),
  );
  const weekly = query.data?.weekly;
  return (
    <Switch
      label={t("label")}
      description={sends ? t("contents") : t("notSetUp")}
      checked={weekly ?? false}
      disabled={weekly === undefined}
      onChange={(event) => set.mutate({ weekly: event.currentTarget.checked })}
    />
  );
}

function NameForm() {
  const t = useTranslations("settings.you");
  const { staff } = useViewer();
  const router = useRouter();
  const rename = api.own.rename.useMutation();
  const form = useServerForm({ name: staff.name }, async ({ name }) => {
    await rename.mutateAsync({ name });
    // The server also renders the name in the shell around this page.
    router.refresh();
    notify(t("nameChanged"));
  });
  return (
    <Form form={form} submit={t("changeName")} quiet>
      <TextInput label={t("yourName")} autoComplete="name" {...form.getInputProps("name")} />
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
  return (
    <>
      <Form form={form} submit={t("change")} quiet>
        <TextInput
          type="email"
          label={t("newAddress")}
          description={t("newAddressHint", { email: staff.email })}
          autoComplete="email"
          {...form.getInputProps("email")}
        />
      </Form>
      {askedFor && (
        <p role="status" className={kit.quiet}>
          {t("linkSent", { email: askedFor, minutes: emailLinkMinutes })}
        </p>
      )}
    </>
  );
}

/** The staff member's language for the dashboard. */
function LanguageChoice() {
  const t = useTranslations("settings.language");
  const { staff } = useViewer();
  const router = useRouter();
  const set = api.own.setLanguage.useMutation({ onSuccess: () => router.refresh(), onError: notifyError });
  return (
    <NativeSelect
      label={t("label")}
      description={t("description")}
      data={[{ value: "", label: t("browser") }, ...languageOptions]}
      value={staff.language ?? ""}
      disabled={set.isPending}
      onChange={({ currentTarget: { value } }) => set.mutate({ language: isLanguage(value) ? value : null })}
    />
  );
}
