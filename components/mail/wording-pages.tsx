"use client";
import { Button, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { useLocale, useTranslations } from "use-intl";
import { longestIntro } from "@/server/mail/schema/confirmation-mail";
import { paragraphs } from "@/server/mail/schema/plain-text";
import { longestWelcome } from "@/server/mail/schema/welcome-mail";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { SettingsForm, useSettingsForm } from "../ui/form";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { ListPage } from "../ui/list-page";
import { notifyError } from "../ui/notify";
import { Preview, usePreview } from "../ui/preview";
import { Loading } from "../ui/states";
import { MailFrame } from "./mail-frame";
import styles from "./mails.module.css";

/** A default text is stored as null, so it follows the newsletter's language. */
const ownText = (text: string, standard: string) => (text.trim() === standard ? null : text);

const changesNothing = { meta: { changesNothing: true } };
const reportsError = { onError: notifyError };

type Kind = "confirmation" | "welcome";

type PageProps<Wording> = { kind: Kind } & Pick<
  ComponentProps<typeof ListPage<Wording>>,
  "query" | "children"
>;

function WordingPage<Wording>({ kind, query, children }: PageProps<Wording>) {
  const t = useTranslations(`mails.${kind}`);
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />}>
      {children}
    </ListPage>
  );
}

type Confirmation = Outputs["mails"]["words"];

/** Edits a newsletter's confirmation email, beside a preview. */
export function ConfirmationMailPage() {
  const { newsletterId } = useViewer();
  const query = api.mails.words.useQuery({ newsletterId });
  return (
    <WordingPage kind="confirmation" query={query}>
      {(wording) => <ConfirmationMailForm key={newsletterId} wording={wording} />}
    </WordingPage>
  );
}

function ConfirmationMailForm({ wording }: { wording: Confirmation }) {
  const t = useTranslations("mails.confirmation");
  const { newsletterId } = useViewer();
  const { own, defaults } = wording;
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
  return (
    <MailWordingForm
      kind="confirmation"
      wording={wording}
      form={form}
      input={{ newsletterId, words }}
      isOwn={words.subject !== null || words.intro !== null}
      preview={api.mails.preview.useMutation(changesNothing)}
      test={api.mails.sendTest.useMutation(reportsError)}
      text={{ name: "intro", label: t("intro"), longest: longestIntro, minRows: 5, maxRows: 16 }}
      after={
        <TextInput
          {...form.input("nextUrl", t("next"), t("nextDescription"))}
          placeholder="https://example.org/welcome"
          type="url"
        />
      }
    />
  );
}

type Welcome = Outputs["mails"]["welcome"]["get"];

/** Edits a newsletter's welcome email, beside a preview. */
export function WelcomeMailPage() {
  const { newsletterId } = useViewer();
  const query = api.mails.welcome.get.useQuery({ newsletterId });
  return (
    <WordingPage kind="welcome" query={query}>
      {(wording) => <WelcomeMailForm key={newsletterId} wording={wording} />}
    </WordingPage>
  );
}

function WelcomeMailForm({ wording }: { wording: Welcome }) {
  const t = useTranslations("mails.welcome");
  const { newsletterId } = useViewer();
  const { on, own, defaults } = wording;
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
  return (
    <MailWordingForm
      kind="welcome"
      wording={wording}
      form={form}
      input={{ newsletterId, welcome }}
      isOwn={welcome.subject !== null || welcome.text !== null}
      preview={api.mails.welcome.preview.useMutation(changesNothing)}
      test={api.mails.welcome.sendTest.useMutation(reportsError)}
      text={{ name: "text", label: t("text"), longest: longestWelcome, minRows: 8, maxRows: 24 }}
      before={<Switch {...form.checkbox("on", t("on"), t("onDescription"))} />}
    />
  );
}

/** Counts the characters of the tidied text, as the server does. An emoji is one character. */
function TextLength({ text, longest }: { text: string; longest: number }) {
  const t = useTranslations("mails.wording");
  const { length } = Array.from(paragraphs(text.normalize("NFC")));
  return (
    <p className={`${kit.quiet} ${styles.length}`} data-over={length > longest || undefined}>
      {t("length", { length, longest })}
    </p>
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

type Mail = Outputs["mails"]["preview"];
type PreviewProps = {
  page: Mail | undefined;
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

type WordingProps<Values extends Record<string, unknown>, Input> = {
  kind: Kind;
  wording: { defaults: Partial<Values>; language: string };
  form: ReturnType<typeof useSettingsForm<Values>>;
  /** The current wording, for the preview and the test email. */
  input: Input;
  /** The wording differs from the default. */
  isOwn: boolean;
  preview: { mutate: Parameters<typeof usePreview<Input, Mail>>[0] };
  test: TestProps["test"] & { mutate(input: Input): void };
  text: { name: keyof Values & string; label: string; longest: number; minRows: number; maxRows: number };
  before?: ReactNode;
  after?: ReactNode;
};

/** Edits one kind of email, beside a preview. */
function MailWordingForm<Values extends Record<string, unknown>, Input>(props: WordingProps<Values, Input>) {
  const { kind, wording, form, input, isOwn, preview, test, text, before, after } = props;
  const { defaults, language } = wording;
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
              <TestButton test={test} onTest={() => test.mutate(input)} />
              {isOwn && (
                <Button variant="subtle" color="gray" onClick={() => form.setValues(defaults)}>
                  {t("reset")}
                </Button>
              )}
            </>
          }
        >
          {before}
          <TextInput {...form.input("subject", t("subject"))} />
          <Textarea
            label={text.label}
            description={t.rich("placeholders", {
              placeholder: "{newsletter}",
              code: (chunks) => <code>{chunks}</code>,
            })}
            minRows={text.minRows}
            maxRows={text.maxRows}
            {...form.getInputProps(text.name)}
          />
          <TextLength text={String(form.values[text.name])} longest={text.longest} />
          {after}
        </SettingsForm>
        <p className={kit.quiet}>
          {t.rich(`fixedLines.${kind}`, {
            language: languageNames.of(language) ?? language,
            link: (chunks) => <Link href={`/n/${newsletterId}/settings`}>{chunks}</Link>,
          })}
        </p>
      </Stack>
      <MailPreview {...usePreview(preview.mutate, input, form.setErrors)} />
    </div>
  );
}
