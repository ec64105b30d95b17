"use client";
import { Button, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import Link from "next/link";
import { useCallback } from "react";
import { longestSubject } from "@/server/contract/confirmation-mail";
import { longestWelcome } from "@/server/contract/welcome-mail";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify, notifyError } from "../ui/notify";
import { useUnsaved } from "../ui/unsaved";
import { MailPreview } from "./mail-preview";
import { languageNames, TestButton, TextLength, usePreview } from "./mail-wording";
import styles from "./mails.module.css";

type Welcome = Outputs["mails"]["welcome"]["get"];
/** What stands in the fields; the default text where the newsletter has none of its own. */
type Values = { on: boolean; subject: string; text: string };

const valuesOf = ({ on, own, defaults }: Welcome): Values => ({
  on,
  subject: own.subject ?? defaults.subject,
  text: own.text ?? defaults.text,
});

/** A default text is stored as null, so that it follows the newsletter's language. */
const toInput = ({ on, subject, text }: Values, { defaults }: Welcome) => ({
  on,
  subject: subject.trim() === defaults.subject ? null : subject,
  text: text.trim() === defaults.text ? null : text,
});

export function WelcomeMailForm({ welcome }: { welcome: Welcome }) {
  const { newsletterId, noEdit } = useViewer();
  const save = api.mails.welcome.save.useMutation();
  const form = useServerForm(valuesOf(welcome), async (values, { was }) => {
    await save.mutateAsync({ newsletterId, welcome: toInput(values, welcome), was: toInput(was, welcome) });
    form.resetDirty();
    notify(
      values.on
        ? "Saved. New subscribers get this email after they confirm."
        : "Saved. No welcome emails are sent.",
    );
  });
  useUnsaved(form.isDirty());
  const input = toInput(form.values, welcome);
  const test = api.mails.welcome.sendTest.useMutation({ onError: notifyError });
  const { mutate } = api.mails.welcome.preview.useMutation({ meta: { changesNothing: true } });
  const render = useCallback(
    (values: Values, then: Parameters<typeof mutate>[1]) =>
      mutate({ newsletterId, welcome: toInput(values, welcome) }, then),
    [newsletterId, welcome, mutate],
  );
  const preview = usePreview(form.values, { render, setErrors: form.setErrors });
  const isOwn = input.subject !== null || input.text !== null;
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
              <TestButton test={test} onTest={() => test.mutate({ newsletterId, welcome: input })} />
              {isOwn && (
                <Button variant="subtle" color="gray" onClick={() => form.setValues(welcome.defaults)}>
                  Use the default wording
                </Button>
              )}
            </>
          }
        >
          <Switch
            label="Send it to everyone who confirms"
            description="Sent after people confirm by email. Not sent to people who are made active by staff, an import or the API."
            {...form.getInputProps("on", { type: "checkbox" })}
          />
          <TextInput label="Subject" maxLength={longestSubject * 2} {...form.getInputProps("subject")} />
          <Textarea
            label="Text"
            description={
              <>
                Plain text. An empty line starts a new paragraph. <code>{"{newsletter}"}</code> is replaced by
                the newsletter’s name.
              </>
            }
            autosize
            minRows={8}
            maxRows={24}
            {...form.getInputProps("text")}
          />
          <TextLength text={form.values.text} longest={longestWelcome} />
        </Form>
        <p className={kit.quiet}>
          The lines below it are fixed, in {languageNames.of(welcome.language)}: they say why the email came,
          and how to unsubscribe. Language and sender are in{" "}
          <Link href={`/n/${newsletterId}/settings`}>Settings</Link>.
        </p>
      </Stack>
      <MailPreview {...preview} />
    </div>
  );
}
