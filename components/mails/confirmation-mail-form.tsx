"use client";
import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import Link from "next/link";
import { useCallback } from "react";
import { longestIntro, longestSubject } from "@/server/contract/confirmation-mail";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify, notifyError } from "../ui/notify";
import { useUnsaved } from "../ui/unsaved";
import { MailPreview } from "./mail-preview";
import { languageNames, TestButton, TextLength, usePreview } from "./mail-wording";
import styles from "./mails.module.css";

type Wording = Outputs["mails"]["words"];
/** What stands in the fields; the default text where the newsletter has none of its own. */
type Values = { subject: string; intro: string; nextUrl: string };

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
  const { newsletterId, noEdit } = useViewer();
  const save = api.mails.saveWords.useMutation();
  const form = useServerForm(valuesOf(wording), async (values, { was }) => {
    await save.mutateAsync({ newsletterId, words: toInput(values, wording), was: toInput(was, wording) });
    form.resetDirty();
    notify("Saved. Existing emails keep their text.");
  });
  useUnsaved(form.isDirty());
  const input = toInput(form.values, wording);
  const test = api.mails.sendTest.useMutation({ onError: notifyError });
  const { mutate } = api.mails.preview.useMutation({ meta: { changesNothing: true } });
  const render = useCallback(
    (values: Values, then: Parameters<typeof mutate>[1]) =>
      mutate({ newsletterId, words: toInput(values, wording) }, then),
    [newsletterId, wording, mutate],
  );
  const preview = usePreview(form.values, { render, setErrors: form.setErrors });
  return (
    <div className={styles.columns}>
      <Stack>
        <Form
          form={form}
          submit="Save"
          disabled={!form.isDirty()}
          readOnly={noEdit}
          actions={
            <>
              <TestButton test={test} onTest={() => test.mutate({ newsletterId, words: input })} />
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
                Plain text. An empty line starts a new paragraph. <code>{"{newsletter}"}</code> is replaced by
                the newsletter’s name.
              </>
            }
            autosize
            minRows={5}
            maxRows={16}
            {...form.getInputProps("intro")}
          />
          <TextLength text={form.values.intro} longest={longestIntro} />
          <TextInput
            label="After confirming"
            description="Optional. The confirmation page links to this page."
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
