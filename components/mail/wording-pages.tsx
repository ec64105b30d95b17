"use client";
import { Button, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { useLocale, useTranslations } from "use-intl";
import { longestIntro, longestSubject } from "@/server/mail/schema/confirmation-mail";
import { longestWelcome } from "@/server/mail/schema/welcome-mail";
import { LeaveGuard } from "../shell/leave-guard";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { SettingsForm, useSettingsForm } from "../ui/form";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { ListPage, Loading } from "../ui/list-page";
import { notifyError } from "../ui/notify";
import { Preview, usePreview } from "../ui/preview";
import { MailFrame } from "./mail-frame";
import styles from "./mails.module.css";

/** A default text is stored as null, so it follows the newsletter's language. */
const ownText = (text: string, standard: string) => (text.trim() === standard ? null : text);

type Confirmation = Outputs["mails"]["words"];

/** Edits a newsletter's confirmation email, beside a preview. */
export function ConfirmationMailPage() {
  const t = useTranslations("mails.confirmation");
  const { newsletterId } = useViewer();
  const query = api.mails.words.useQuery({ newsletterId });
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />} footer={<LeaveGuard />}>
      {(wording) => <ConfirmationMailForm key={newsletterId} wording={wording} />}
    </ListPage>
  );
}

function ConfirmationMailForm({ wording }: { wording: Confirmation }) {
  const t = useTranslations("mails.confirmation");
  const { newsletterId } = useViewer();
  const { own, defaults, language } = wording;
  const save = api.mails.saveConfirmationWording.useMutation();
  // Fields without a custom text hold the default text.
  const initial = {
    subject: own.subject ?? defaults.subject,
    intro: own.intro ?? defaults.intro,
    nextUrl: own.nextUrl ?? "",
  };
  const toInput = ({ subject, intro, nextUrl }: typeof initial) => ({
    subject: ownText(subject, defaults.subject),
    intro: ownText(intro, defaults.intro),
    nextUrl,
  });
  const form = useSettingsForm(initial, async (values, { was }) => {
    await save.mutateAsync({ newsletterId, words: toInput(values), was: toInput(was) });
    return t("saved");
  });
  const words = toInput(form.values);
  const test = api.mails.sendTest.useMutation({ onError: notifyError });
  const { mutate } = api.mails.preview.useMutation({ meta: { changesNothing: true } });
  const isOwn = words.subject !== null || words.intro !== null;
  return (
    <MailWordingForm
      form={form}
      preview={usePreview(mutate, { newsletterId, words }, form.setErrors)}
      test={test}
      onTest={() => test.mutate({ newsletterId, words })}
      onReset={isOwn ? () => form.setValues(defaults) : null}
      text={{ name: "intro", label: t("intro"), longest: longestIntro, minRows: 5, maxRows: 16 }}
      after={
        <TextInput
          {...form.input("nextUrl", t("next"), t("nextDescription"))}
          placeholder="https://example.org/welcome"
          type="url"
        />
      }
      kind="confirmation"
      language={language}
    />
  );
}

type Welcome = Outputs["mails"]["welcome"]["get"];

/** Edits a newsletter's welcome email, beside a preview. */
export function WelcomeMailPage() {
  const t = useTranslations("mails.welcome");
  const { newsletterId } = useViewer();
  const query = api.mails.welcome.get.useQuery({ newsletterId });
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />} footer={<LeaveGuard />}>
      {(wording) => <WelcomeMailForm key={newsletterId} wording={wording} />}
    </ListPage>
  );
}

function WelcomeMailForm({ wording }: { wording: Welcome }) {
  const t = useTranslations("mails.welcome");
  const { newsletterId } = useViewer();
  const { on, own, defaults, language } = wording;
  const save = api.mails.welcome.save.useMutation();
  const initial = { on, subject: own.subject ?? defaults.subject, text: own.text ?? defaults.text };
  const toInput = (values: typeof initial) => ({
    on: values.on,
    subject: ownText(values.subject, defaults.subject),
    text: ownText(values.text, defaults.text),
  });
  const form = useSettingsForm(initial, async (values, { was }) => {
    await save.mutateAsync({ newsletterId, welcome: toInput(values), was: toInput(was) });
    return values.on ? t("savedOn") : t("savedOff");
  });
  const welcome = toInput(form.values);
  const test = api.mails.welcome.sendTest.useMutation({ onError: notifyError });
  const { mutate } = api.mails.welcome.preview.useMutation({ meta: { changesNothing: true } });
  const isOwn = welcome.subject !== null || welcome.text !== null;
  return (
    <MailWordingForm
      form={form}
      preview={usePreview(mutate, { newsletterId, welcome }, form.setErrors)}
      test={test}
      onTest={() => test.mutate({ newsletterId, welcome })}
      onReset={isOwn ? () => form.setValues(defaults) : null}
      text={{ name: "text", label: t("text"), longest: longestWelcome, minRows: 8, maxRows: 24 }}
      before={<Switch {...form.checkbox("on", t("on"), t("onDescription"))} />}
      kind="welcome"
      language={language}
    />
  );
}

type TestProps = {
  /** Sends the test email. */
  test: { isPending: boolean; data: { mailId: string } | undefined };
  onTest(): void;
};

function TestButton({ test, onTest }: TestProps) {
  const t = useTranslations("mails.wording.test");
  const { newsletterId, staff, sends } = useViewer();
  const { email } = staff;
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={onTest}>
        {t("send")}
      </Button>
      {test.data && (
        <p className={kit.quiet} role="status">
          {sends ? t("queued", { email }) : t("stored", { email })}{" "}
          <Link href={`/n/${newsletterId}/mails?mail=${test.data.mailId}`}>{t("see")}</Link>
        </p>
      )}
    </>
  );
}

/** The link above the form. */
function BackToMails() {
  const t = useTranslations("mails.page");
  const { newsletterId } = useViewer();
  return (
    <Button
      component={Link}
      href={`/n/${newsletterId}/mails`}
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<icons.left />}
      ml={-8}
      mb="md"
    >
      {t("title")}
    </Button>
  );
}

type PreviewProps = {
  page: Outputs["mails"]["preview"] | undefined;
  stale: boolean;
};

/** An email as listed in an inbox, and as opened. */
function MailPreview({ page: mail, stale }: PreviewProps) {
  return (
    <Preview looks={["light", "dark", "text"]} className={styles.preview} stale={stale}>
      {(look) =>
        mail ? (
          <div className={styles.sheet} data-stale={stale || undefined}>
            <p>
              <b>{mail.from.replace(/\s*<[^>]*>$/, "").replace(/^"(.*)"$/, "$1")}</b> {mail.subject}
            </p>
            {look === "text" ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
              <pre tabIndex={0}>{mail.text}</pre>
            ) : (
              <MailFrame html={mail.html} scheme={look} />
            )}
          </div>
        ) : (
          <Loading rows={8} />
        )
      }
    </Preview>
  );
}

type WordingProps<Values extends Record<string, unknown>> = TestProps & {
  form: ReturnType<typeof useSettingsForm<Values>>;
  preview: PreviewProps;
  /** Restores the default wording; null while the fields have it. */
  onReset: (() => void) | null;
  text: { name: keyof Values & string; label: string; longest: number; minRows: number; maxRows: number };
  before?: ReactNode;
  after?: ReactNode;
  kind: "confirmation" | "welcome";
  /** The newsletter's language. */
  language: string;
};

/** Edits one kind of email, beside a preview. */
function MailWordingForm<Values extends Record<string, unknown>>(props: WordingProps<Values>) {
  const { form, preview, test, onTest, onReset, text, before, after, kind, language } = props;
  const t = useTranslations("mails.wording");
  const languageNames = new Intl.DisplayNames([useLocale()], { type: "language" });
  const { newsletterId, noEdit } = useViewer();
  return (
    <div className={styles.columns}>
      <Stack>
        <SettingsForm
          form={form}
          readOnly={noEdit}
          actions={
            <>
              <TestButton test={test} onTest={onTest} />
              {onReset && (
                <Button variant="subtle" color="gray" onClick={onReset}>
                  {t("reset")}
                </Button>
              )}
            </>
          }
        >
          {before}
          <TextInput {...form.input("subject", t("subject"))} maxLength={longestSubject * 2} />
          <Textarea
            label={text.label}
            description={t.rich("placeholders", {
              placeholder: "{newsletter}",
              code: (chunks) => <code>{chunks}</code>,
            })}
            autosize
            minRows={text.minRows}
            maxRows={text.maxRows}
            maxLength={text.longest * 2}
            {...form.getInputProps(text.name)}
          />
          {after}
        </SettingsForm>
        <p className={kit.quiet}>
          {t.rich(`fixedLines.${kind}`, {
            language: languageNames.of(language) ?? language,
            link: (chunks) => <Link href={`/n/${newsletterId}/settings`}>{chunks}</Link>,
          })}
        </p>
      </Stack>
      <MailPreview {...preview} />
    </div>
  );
}
