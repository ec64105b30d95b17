"use client";
import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { useLocale, useTranslations } from "use-intl";
import { longestSubject } from "@/server/mail/schema/confirmation-mail";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Preview } from "../ui/preview";
import { SettingsForm, type useSettingsForm } from "../ui/settings-form";
import { Loading } from "../ui/states";
import { MailFrame } from "./mail-frame";
import styles from "./mails.module.css";

/** Counts as the server does: an emoji is one character. */
function TextLength({ text, longest }: { text: string; longest: number }) {
  const t = useTranslations("mails.wording");
  const { length } = Array.from(text);
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

/** The link above the form. */
export function BackToMails() {
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
export function MailWordingForm<Values extends Record<string, unknown>>(props: WordingProps<Values>) {
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
          <TextInput label={t("subject")} maxLength={longestSubject * 2} {...form.getInputProps("subject")} />
          <Textarea
            label={text.label}
            description={t.rich("placeholders", {
              placeholder: "{newsletter}",
              code: (chunks) => <code>{chunks}</code>,
            })}
            autosize
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
      <MailPreview {...preview} />
    </div>
  );
}
