"use client";
import { Button, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import Link from "next/link";
import { useLocale, useTranslations } from "use-intl";
import { longestIntros, paragraphs, type WordedMail } from "@/server/mail/schema/mail-words";
import { useViewer } from "../shell/viewer";
import { code } from "../texts/code";
import { api, changesNothing, type Inputs, type Outputs } from "../trpc";
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

/** The height of the text's input. */
const rows = { confirmation: { minRows: 5, maxRows: 16 }, welcome: { minRows: 8, maxRows: 24 } };

/** Edits a newsletter's confirmation email, beside a preview. */
export const ConfirmationMailPage = () => <WordingPage kind="confirmation" />;

/** Edits a newsletter's welcome email, beside a preview. */
export const WelcomeMailPage = () => <WordingPage kind="welcome" />;

function WordingPage({ kind }: { kind: WordedMail }) {
  const t = useTranslations(`mails.${kind}`);
  const { newsletterId } = useViewer();
  const query = api.mails.wording.useQuery({ newsletterId, kind });
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />}>
      {(wording) => <WordingForm key={newsletterId} kind={kind} wording={wording} />}
    </ListPage>
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

type Input = Inputs["mails"]["preview"];

/** Sends the email to the staff member. */
function TestButton({ input }: { input: Input }) {
  const t = useTranslations("mails.wording.test");
  const { newsletterId, staff, sends } = useViewer();
  const test = api.mails.sendTest.useMutation({ onError: notifyError });
  const { email } = staff;
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate(input)}>
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

type PreviewProps = { input: Input; setErrors(errors: Record<string, string[]>): void };

/** An email as listed in an inbox, and as opened. */
function MailPreview({ input, setErrors }: PreviewProps) {
  const { mutate } = api.mails.preview.useMutation(changesNothing);
  const { page: mail, stale } = usePreview(mutate, input, setErrors);
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
          <Loading />
        )
      }
    </Preview>
  );
}

type WordingProps = { kind: WordedMail; wording: Outputs["mails"]["wording"] };

/** The form's values and what the server reads of them. */
function useWordingForm({ kind, wording: { own, defaults } }: WordingProps) {
  const tConfirmation = useTranslations("mails.confirmation");
  const tWelcome = useTranslations("mails.welcome");
  const { newsletterId } = useViewer();
  const { mutateAsync } = api.mails.saveWording.useMutation();
  // Fields without a custom text hold the default text.
  const initial = {
    ...own,
    subject: own.subject ?? defaults.subject,
    intro: own.intro ?? defaults.intro,
    nextUrl: own.nextUrl ?? "",
  };
  const toInput = ({ subject, intro, ...others }: typeof initial) => ({
    ...others,
    subject: ownText(subject, defaults.subject),
    intro: ownText(intro, defaults.intro),
  });
  const form = useSettingsForm(initial, async (values, { was }) => {
    await mutateAsync({ newsletterId, kind, wording: toInput(values), was: toInput(was) });
    if (kind === "confirmation") return tConfirmation("saved");
    return values.on ? tWelcome("savedOn") : tWelcome("savedOff");
  });
  return { form, wording: toInput(form.values) };
}

/** Edits one kind of email, beside a preview. */
function WordingForm(props: WordingProps) {
  const { kind } = props;
  const { defaults, language } = props.wording;
  const t = useTranslations("mails.wording");
  const tConfirmation = useTranslations("mails.confirmation");
  const tWelcome = useTranslations("mails.welcome");
  const languageNames = new Intl.DisplayNames([useLocale()], { type: "language" });
  const { newsletterId, noEdit } = useViewer();
  const { form, wording } = useWordingForm(props);
  const input = { newsletterId, kind, wording };
  return (
    <div className={styles.columns}>
      <Stack>
        <SettingsForm
          form={form}
          readOnly={noEdit}
          actions={
            <>
              <TestButton input={input} />
              {(wording.subject !== null || wording.intro !== null) && (
                <Button variant="subtle" color="gray" onClick={() => form.setValues(defaults)}>
                  {t("reset")}
                </Button>
              )}
            </>
          }
        >
          {kind === "welcome" && (
            <Switch {...form.checkbox("on", tWelcome("on"), tWelcome("onDescription"))} />
          )}
          <TextInput {...form.input("subject", t("subject"))} />
          <Textarea
            label={kind === "welcome" ? tWelcome("text") : tConfirmation("intro")}
            description={t.rich("placeholders", { placeholder: "{newsletter}", code })}
            {...rows[kind]}
            {...form.getInputProps("intro")}
          />
          <TextLength text={form.values.intro} longest={longestIntros[kind]} />
          {kind === "confirmation" && (
            <TextInput
              {...form.input("nextUrl", tConfirmation("next"), tConfirmation("nextDescription"))}
              placeholder="https://example.org/welcome"
              type="url"
            />
          )}
        </SettingsForm>
        <p className={kit.quiet}>
          {t.rich(`fixedLines.${kind}`, {
            language: languageNames.of(language) ?? language,
            link: (chunks) => <Link href={`/n/${newsletterId}/settings`}>{chunks}</Link>,
          })}
        </p>
      </Stack>
      <MailPreview input={input} setErrors={form.setErrors} />
    </div>
  );
}
