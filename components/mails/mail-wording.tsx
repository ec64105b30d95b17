"use client";
import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import { type ReactNode, useEffect, useState } from "react";
import { longestSubject } from "@/server/contract/confirmation-mail";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { rejectionOf } from "../trpc";
import kit from "../ui/kit.module.css";
import { count } from "../ui/numbers";
import { SettingsForm, type useSettingsForm } from "../ui/settings-form";
import { MailPreview } from "./mail-preview";
import { askedFor } from "./mail-words";
import styles from "./mails.module.css";

const languageNames = new Intl.DisplayNames(["en"], { type: "language" });

/** Counts as the server does: an emoji is one character. */
function TextLength({ text, longest }: { text: string; longest: number }) {
  const { length } = Array.from(text);
  return (
    <p className={`${kit.quiet} ${styles.length}`} data-over={length > longest || undefined}>
      {count(length)} of {count(longest)} characters
    </p>
  );
}

type TestProps = {
  /** Mails the test. */
  test: { isPending: boolean; data: { mailId: string } | undefined };
  onTest(): void;
};

function TestButton({ test, onTest }: TestProps) {
  const { newsletterId, staff, sends } = useViewer();
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={onTest}>
        Send a test to me
      </Button>
      {test.data && (
        <p className={kit.quiet} role="status">
          {askedFor(`A test email to ${staff.email}`, sends)}{" "}
          <Link href={`/n/${newsletterId}/mails?mail=${test.data.mailId}`}>See the test</Link>
        </p>
      )}
    </>
  );
}

type PreviewedMail = Outputs["mails"]["preview"];
type Then = { onSuccess(mail: PreviewedMail): void; onError(error: unknown): void };

/**
 * The mail with this wording. The last one stays until the next is made; what is wrong with the wording goes to the fields.
 * @param render makes the mail; the same function as long as its wording is saved the same
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
  /** Puts the default wording into the fields; null while they have it. */
  onReset: (() => void) | null;
  text: { name: keyof Values & string; label: string; longest: number; minRows: number; maxRows: number };
  before?: ReactNode;
  after?: ReactNode;
  /** Which lines are fixed, and why. */
  fixedLines(language: string): string;
  language: string;
};

/** The wording of one kind of email, beside the email as it will look. */
export function MailWordingForm<Values extends Record<string, unknown>>(props: WordingProps<Values>) {
  const { form, preview, test, onTest, onReset, text, before, after, fixedLines, language } = props;
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
                  Use the default wording
                </Button>
              )}
            </>
          }
        >
          {before}
          <TextInput label="Subject" maxLength={longestSubject * 2} {...form.getInputProps("subject")} />
          <Textarea
            label={text.label}
            description={
              <>
                Plain text. An empty line starts a new paragraph. <code>{"{newsletter}"}</code> is replaced by
                the newsletter’s name.
              </>
            }
            autosize
            minRows={text.minRows}
            maxRows={text.maxRows}
            {...form.getInputProps(text.name)}
          />
          <TextLength text={String(form.values[text.name])} longest={text.longest} />
          {after}
        </SettingsForm>
        <p className={kit.quiet}>
          {fixedLines(languageNames.of(language) ?? language)} Language and sender are in{" "}
          <Link href={`/n/${newsletterId}/settings`}>Settings</Link>.
        </p>
      </Stack>
      <MailPreview {...preview} />
    </div>
  );
}
