"use client";
import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import { type ReactNode, useEffect, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { longestSubject } from "@/server/mail/schema/confirmation-mail";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { rejectionOf } from "../trpc";
import kit from "../ui/kit.module.css";
import { SettingsForm, type useSettingsForm } from "../ui/settings-form";
import { MailPreview } from "./mail-preview";
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

type PreviewedMail = Outputs["mails"]["preview"];
type Then = { onSuccess(mail: PreviewedMail): void; onError(error: unknown): void };

/**
 * Renders the email with this wording. The previous preview stays until the next arrives. Fields show wording errors.
 * @param render renders the email; a stable function while the saved wording is the same
 */
export function usePreview<Values>(
  values: Values,
  {
    render,
    setErrors,
  }: { render(values: Values, then: Then): void; setErrors(errors: Record<string, string[]>): void },
) {
  const [settled] = useDebouncedValue(values, 250);
  const [mail, setMail] = useState<PreviewedMail>();
  const [failed, setFailed] = useState(false);
  useEffect(
    () =>
      render(settled, {
        onSuccess: (made) => {
          setMail(made);
          setFailed(false);
        },
        onError: (error) => {
          setErrors(rejectionOf(error).errors);
          setFailed(true);
        },
      }),
    [settled, render, setErrors],
  );
  return { mail, stale: failed || settled !== values };
}

type WordingProps<Values extends Record<string, unknown>> = TestProps & {
  form: ReturnType<typeof useSettingsForm<Values>>;
  preview: ReturnType<typeof usePreview>;
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
