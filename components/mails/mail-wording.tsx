"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import { useEffect, useState } from "react";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { rejectionOf } from "../trpc";
import kit from "../ui/kit.module.css";
import { count } from "../ui/numbers";
import { askedFor } from "./mail-words";
import styles from "./mails.module.css";

export const languageNames = new Intl.DisplayNames(["en"], { type: "language" });

/** Counts as the server does: an emoji is one character. */
export function TextLength({ text, longest }: { text: string; longest: number }) {
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

export function TestButton({ test, onTest }: TestProps) {
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
