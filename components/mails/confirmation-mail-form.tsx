"use client";
import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import { useEffect, useState } from "react";
import { longestIntro, longestSubject } from "@/server/contract/confirmation-mail";
import { useViewer } from "../shell/viewer";
import { api, type Outputs, rejectionOf } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify, notifyError } from "../ui/notify";
import { count } from "../ui/numbers";
import { MailPreview } from "./mail-preview";
import { askedFor } from "./mail-words";
import styles from "./mails.module.css";

type Wording = Outputs["mails"]["words"];
/** What stands in the fields; the default text where the newsletter has none of its own. */
type Values = { subject: string; intro: string; nextUrl: string };

const languageNames = new Intl.DisplayNames(["en"], { type: "language" });

const valuesOf = ({ own, defaults }: Wording): Values => ({
  subject: own.subject ?? defaults.subject,
  intro: own.intro ?? defaults.intro,
  nextUrl: own.nextUrl ?? "",
});

/** A default text is stored as null, so that it follows the newsletter's language. */
const toInput = ({ subject, intro, nextUrl }: Values, { defaults }: Wording) => ({
  subject: subject.trim() === defaults.subject ? null : subject,
  intro: intro.trim() === defaults.intro ? null : intro,
  nextUrl,
});

export function ConfirmationMailForm({ wording }: { wording: Wording }) {
  const { newsletterId, mayEdit } = useViewer();
  const save = api.mails.saveWords.useMutation();
  const form = useServerForm(valuesOf(wording), async (values) => {
    await save.mutateAsync({ newsletterId, words: toInput(values, wording) });
    form.resetDirty();
    notify("Saved. Mails already written keep their text.");
  });
  const input = toInput(form.values, wording);
  const preview = usePreview(form.values, form.setErrors, wording);
  return (
    <div className={styles.columns}>
      <Stack>
        <Form
          form={form}
          submit="Save"
          disabled={!form.isDirty()}
          {...(!mayEdit && { readOnly: "Only owners and editors change these." })}
          actions={
            <>
              <TestButton input={input} />
              {(input.subject !== null || input.intro !== null) && (
                <Button variant="subtle" color="gray" onClick={() => form.setValues(wording.defaults)}>
                  Use the default wording
                </Button>
              )}
            </>
          }
        >
          <TextInput label="Subject" maxLength={longestSubject * 2} {...form.getInputProps("subject")} />
          <Textarea
            label="Intro"
            description={
              <>
                Plain text; an empty line begins a paragraph. <code>{"{newsletter}"}</code> becomes the
                newsletter’s name.
              </>
            }
            autosize
            minRows={5}
            maxRows={16}
            {...form.getInputProps("intro")}
          />
          <IntroLength intro={form.values.intro} />
          <TextInput
            label="After confirming"
            description="A page of yours that the confirm page links to. Empty: it ends there."
            placeholder="https://example.org/welcome"
            type="url"
            {...form.getInputProps("nextUrl")}
          />
        </Form>
        <p className={kit.quiet}>
          The button, its link and the lines below it are fixed, in {languageNames.of(wording.language)}: they
          say what a reader has to know. Language and sender are in{" "}
          <Link href={`/n/${newsletterId}/settings`}>Settings</Link>.
        </p>
      </Stack>
      <MailPreview {...preview} />
    </div>
  );
}

/** Counts as the server does: an emoji is one character. */
function IntroLength({ intro }: { intro: string }) {
  const { length } = Array.from(intro);
  return (
    <p className={`${kit.quiet} ${styles.length}`} data-over={length > longestIntro || undefined}>
      {count(length)} of {count(longestIntro)} characters
    </p>
  );
}

function TestButton({ input }: { input: ReturnType<typeof toInput> }) {
  const { newsletterId, staff, sends } = useViewer();
  const test = api.mails.sendTest.useMutation({ onError: notifyError });
  return (
    <>
      <Button
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate({ newsletterId, words: input })}
      >
        Send a test to me
      </Button>
      {test.data && (
        <p className={kit.quiet} role="status">
          {askedFor(`A test to ${staff.email}`, sends)}{" "}
          <Link href={`/n/${newsletterId}/mails?mail=${test.data.mailId}`}>See the test</Link>
        </p>
      )}
    </>
  );
}

type PreviewedMail = Outputs["mails"]["preview"];

/** The mail with this wording. The last one stays until the next is made; what is wrong with the wording goes to the fields. */
function usePreview(values: Values, setErrors: (errors: Record<string, string[]>) => void, wording: Wording) {
  const { newsletterId } = useViewer();
  const [settled] = useDebouncedValue(values, 250);
  const [mail, setMail] = useState<PreviewedMail>();
  const { mutate, isError } = api.mails.preview.useMutation({ meta: { changesNothing: true } });
  useEffect(
    () =>
      mutate(
        { newsletterId, words: toInput(settled, wording) },
        {
          onSuccess: setMail,
          onError: (error) => setErrors(rejectionOf(error).errors),
        },
      ),
    [settled, wording, newsletterId, mutate, setErrors],
  );
  return { mail, stale: isError || settled !== values };
}
