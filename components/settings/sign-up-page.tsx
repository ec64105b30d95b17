"use client";
import { Checkbox, Group, SegmentedControl, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import Link from "next/link";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { longestSignUpTitle } from "@/server/sign-up/schema/sign-up-page";
import { fixColorScheme } from "../mail/fix-color-scheme";
import { useViewer } from "../shell/viewer";
import { api, changesNothing, type Inputs, type Outputs } from "../trpc";
import { Code, CopyButton } from "../ui/copy";
import { SettingsForm, useSettingsForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { Preview, usePreview } from "../ui/preview";
import { Loading } from "../ui/states";
import styles from "./settings.module.css";

type Saved = Outputs["signUpPage"]["settings"];
type Field = Outputs["fields"]["list"][number];

/** Settings of the public sign-up page: its look, its state and its embedding in other sites. */
export function SignUpPage() {
  const { newsletterId } = useViewer();
  const settings = api.signUpPage.settings.useQuery({ newsletterId });
  const fields = api.fields.list.useQuery({ newsletterId });
  return (
    <Loaded query={settings} rows={6}>
      {(saved) => (
        <Loaded query={fields} rows={2}>
          {(all) => <SignUpForm key={newsletterId} saved={saved} fields={all} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function SignUpForm({ saved, fields }: { saved: Saved; fields: Field[] }) {
  const t = useTranslations("settings.signUp");
  const { newsletterId, noEdit } = useViewer();
  const save = api.signUpPage.save.useMutation();
  // The version that filled this form. It prevents overwriting a later save of another tab.
  const version = useRef(saved.version);
  const form = useSettingsForm(saved.settings, async (settings) => {
    const next = await save.mutateAsync({ newsletterId, version: version.current, settings });
    version.current = next.version;
    return settings.isOn ? t("savedOn") : t("savedOff");
  });
  return (
    <div className={styles.design}>
      <SignUpState saved={saved} />
      <SettingsForm form={form} readOnly={noEdit}>
        <Switch {...form.checkbox("isOn", t("isOn"), t("isOnHint"))} />
        <TextInput {...form.input("title", t("title"), t("titleHint"))} maxLength={longestSignUpTitle * 2} />
        <Textarea
          {...form.input("introduction", t("introduction"), t("introductionHint"))}
          minRows={2}
          maxRows={10}
        />
        <Textarea {...form.input("wording", t("wording"), t("wordingHint"))} minRows={2} maxRows={10} />
        <Checkbox {...form.checkbox("asksName", t("asksName"))} />
        <FieldChoice
          fields={fields}
          chosen={form.values.fields}
          error={form.errors.fields}
          onChange={(keys) => form.setFieldValue("fields", keys)}
        />
      </SettingsForm>
      <SignUpPreview settings={form.values} setErrors={form.setErrors} />
      <SignUpForms saved={saved} />
    </div>
  );
}

type ChoiceProps = {
  fields: Field[];
  chosen: string[];
  error: React.ReactNode;
  onChange(keys: string[]): void;
};

/** Chooses the fields of the sign-up form. Required fields are always included. */
function FieldChoice({ fields, chosen, error, onChange }: ChoiceProps) {
  const t = useTranslations("settings.signUp");
  const { newsletterId } = useViewer();
  if (fields.length === 0)
    return (
      <p className={kit.quiet}>
        {t.rich("noFields", {
          link: (chunks) => <Link href={`/n/${newsletterId}/settings/fields`}>{chunks}</Link>,
        })}
      </p>
    );
  const required = fields.filter((field) => field.required).map(({ key }) => key);
  return (
    <Checkbox.Group
      label={t("fields")}
      description={t("fieldsHint")}
      error={error}
      value={[...new Set([...chosen, ...required])]}
      onChange={(keys) => onChange(keys.filter((key) => !required.includes(key) || chosen.includes(key)))}
    >
      <Stack gap="xs" mt="xs">
        {fields.map(({ key, label, required: isRequired }) => (
          <Checkbox
            key={key}
            value={key}
            label={isRequired ? t("requiredField", { label }) : label}
            disabled={isRequired}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** The saved state and address of the sign-up page. */
function SignUpState({ saved: { url, settings } }: { saved: Saved }) {
  const t = useTranslations("settings.signUp");
  return (
    <Group justify="space-between" gap="8px 16px" className={styles.state}>
      {settings.isOn ? (
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      ) : (
        <p className={kit.quiet}>{t("isOff", { url })}</p>
      )}
      <CopyButton value={url}>{t("copyLink")}</CopyButton>
    </Group>
  );
}

type Kind = keyof Saved["forms"];
const kinds: Kind[] = ["inline", "plain"];

/** The sign-up form to embed in other sites. */
function SignUpForms({ saved: { forms, settings } }: { saved: Saved }) {
  const t = useTranslations("settings.signUp.form");
  const [kind, setKind] = useState<Kind>("inline");
  return (
    <div className={styles.forms}>
      <h2>{t("heading")}</h2>
      <SegmentedControl
        data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        value={kind}
        onChange={setKind}
        size="xs"
        my="xs"
        aria-label={t("kind")}
      />
      <p className={kit.quiet}>{t(`notes.${kind}`)}</p>
      {!settings.isOn && <p className={kit.quiet}>{t("worksOnceOn")}</p>}
      <Code label={t("heading")}>{forms[kind]}</Code>
    </div>
  );
}

type Props = {
  settings: Inputs["signUpPage"]["preview"]["settings"];
  setErrors(errors: Record<string, string[]>): void;
};

/** Previews the page with the form's current values. */
function SignUpPreview({ settings, setErrors }: Props) {
  const t = useTranslations("settings.signUp");
  const { newsletterId } = useViewer();
  const { mutate } = api.signUpPage.preview.useMutation(changesNothing);
  const { page } = usePreview(mutate, { newsletterId, settings }, setErrors);
  return (
    <Preview looks={["light", "dark"]}>
      {(look) =>
        page ? (
          // The frame has its own style sheet and font. It allows no scripts, clicks or typing.
          <iframe
            className={styles.page}
            title={t("preview")}
            sandbox="allow-same-origin"
            tabIndex={-1}
            srcDoc={fixColorScheme(page.html, look === "dark" ? "dark" : "light").replace(
              "<body>",
              "<body inert>",
            )}
          />
        ) : (
          <Loading rows={6} />
        )
      }
    </Preview>
  );
}
