"use client";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import { type FormEvent, useEffect, useState } from "react";
import { longestIntro, longestSubject } from "@/server/contract/confirmation-mail";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { notify } from "../ui/notify";
import { MailPreview } from "./mail-preview";
import styles from "./words.module.css";

type Words = Outputs["mails"]["words"];
/** What stands in the fields; where the default words are used, these. */
type Fields = { subject: string; intro: string; nextUrl: string };

const languages: Record<string, string> = { en: "English", de: "German", fr: "French", es: "Spanish" };

const fieldsOf = ({ own, defaults }: Words): Fields => ({
  subject: own.subject ?? defaults.subject,
  intro: own.intro ?? defaults.intro,
  nextUrl: own.nextUrl ?? "",
});

/** The default words stay the defaults, so that they follow the newsletter's language. */
const chosen = (fields: Fields, { defaults }: Words) => ({
  subject: fields.subject.trim() === defaults.subject ? null : fields.subject,
  intro: fields.intro.trim() === defaults.intro ? null : fields.intro,
  nextUrl: fields.nextUrl,
});

export function WordsForm({ words }: { words: Words }) {
  const { newsletterId, mayEdit, staff, sends } = useViewer();
  const utils = api.useUtils();
  const [fields, setFields] = useState(() => fieldsOf(words));
  const [settled] = useDebouncedValue(fields, 250);
  const preview = api.mails.preview.useMutation();
  const show = preview.mutate;
  useEffect(
    () => show({ newsletterId, words: chosen(settled, words) }),
    [settled, words, newsletterId, show],
  );
  const shown = useLast(preview.data);

  const save = api.mails.saveWords.useMutation({
    onSuccess: () => {
      notify("Saved. Mails already written keep what they say.");
      void utils.mails.invalidate();
      void utils.account.acts.invalidate();
    },
  });
  const test = api.mails.sendTest.useMutation({
    onSuccess: () => void utils.mails.page.invalidate(),
  });
  const failed = save.error ?? test.error ?? preview.error;
  const rejection = failed ? rejectionOf(failed) : null;
  const isDefault = fields.subject === words.defaults.subject && fields.intro === words.defaults.intro;
  // Characters as the server counts them: an emoji is one.
  const introLength = Array.from(fields.intro).length;
  const isSaved = JSON.stringify(fields) === JSON.stringify(fieldsOf(words));

  function set(name: keyof Fields, value: string) {
    setFields((before) => ({ ...before, [name]: value }));
    save.reset();
    test.reset();
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate({ newsletterId, words: chosen(fields, words) });
  };

  return (
    <div className={styles.columns}>
      <form onSubmit={submit} noValidate>
        <fieldset className={styles.form} disabled={!mayEdit}>
          <TextInput
            label="Subject"
            value={fields.subject}
            maxLength={longestSubject * 2}
            error={messageFor(rejection, "subject")}
            onChange={(event) => set("subject", event.currentTarget.value)}
          />
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
            value={fields.intro}
            error={messageFor(rejection, "intro")}
            onChange={(event) => set("intro", event.currentTarget.value)}
          />
          <p className={styles.count} data-over={introLength > longestIntro || undefined}>
            {introLength.toLocaleString("en")} of {longestIntro.toLocaleString("en")} characters
          </p>
          <TextInput
            label="After confirming"
            description="A page of yours that the confirm page links to. Empty: it ends there."
            placeholder="https://example.org/welcome"
            type="url"
            value={fields.nextUrl}
            error={messageFor(rejection, "nextUrl")}
            onChange={(event) => set("nextUrl", event.currentTarget.value)}
          />
          {rejection && Object.keys(rejection.errors).length === 0 && (
            <p className={styles.wrong} role="alert">
              {rejection.message}
            </p>
          )}
          {mayEdit ? (
            <div className={styles.tools}>
              <Button type="submit" loading={save.isPending} disabled={isSaved}>
                Save
              </Button>
              <Button
                variant="default"
                loading={test.isPending}
                onClick={() => test.mutate({ newsletterId, words: chosen(fields, words) })}
              >
                Send a test to me
              </Button>
              {!isDefault && (
                <Button
                  variant="subtle"
                  color="gray"
                  onClick={() => {
                    set("subject", words.defaults.subject);
                    set("intro", words.defaults.intro);
                  }}
                >
                  Use the default words
                </Button>
              )}
            </div>
          ) : (
            <p className={styles.note}>Only owners and editors change these.</p>
          )}
          {test.data && (
            <p className={styles.note} role="status">
              {sends ? `A test is on its way to ${staff.email}.` : "Nothing leaves without a Resend key."}{" "}
              <Link href={`/n/${newsletterId}/mails?mail=${test.data.mailId}`}>See the test</Link>
            </p>
          )}
          <p className={styles.note}>
            The button, its link and the lines below it are ours, in {languages[words.language]}: they say
            what a reader has to know. Language and sender are in{" "}
            <Link href={`/n/${newsletterId}/settings`}>Settings</Link>.
          </p>
        </fieldset>
      </form>
      <MailPreview mail={shown} stale={preview.isError || settled !== fields} />
    </div>
  );
}

/** The last value that was there: a preview must not blink while the next one is made. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
