"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { longestIntro } from "@/server/mail/schema/confirmation-mail";
import { LeaveGuard } from "../shell/leave-guard";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { ListPage } from "../ui/list-page";
import { notifyError } from "../ui/notify";
import { usePreview } from "../ui/preview";
import { useSettingsForm } from "../ui/settings-form";
import { BackToMails, MailWordingForm } from "./mail-wording";

type Wording = Outputs["mails"]["words"];
/** The form's values. Fields without a custom text hold the default text. */
type Values = { subject: string; intro: string; nextUrl: string };

const valuesOf = ({ own, defaults }: Wording): Values => ({
  subject: own.subject ?? defaults.subject,
  intro: own.intro ?? defaults.intro,
  nextUrl: own.nextUrl ?? "",
});

/** A default text is stored as null, so it follows the newsletter's language. */
const toInput = ({ subject, intro, nextUrl }: Values, { defaults }: Wording) => ({
  subject: subject.trim() === defaults.subject ? null : subject,
  intro: intro.trim() === defaults.intro ? null : intro,
  nextUrl,
});

/** Edits a newsletter's confirmation email, beside a preview. */
export function ConfirmationMailPage() {
  const t = useTranslations("mails.confirmation");
  const { newsletterId } = useViewer();
  const query = api.mails.words.useQuery({ newsletterId });
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />} footer={<LeaveGuard />}>
      {(wording) => <ConfirmationMailForm key={newsletterId} wording={wording} />}
    </ListPage>
  );
}

function ConfirmationMailForm({ wording }: { wording: Wording }) {
  const t = useTranslations("mails.confirmation");
  const { newsletterId } = useViewer();
  const save = api.mails.saveConfirmationWording.useMutation();
  const form = useSettingsForm(valuesOf(wording), async (values, { was }) => {
    await save.mutateAsync({ newsletterId, words: toInput(values, wording), was: toInput(was, wording) });
    return t("saved");
  });
  const input = toInput(form.values, wording);
  const test = api.mails.sendTest.useMutation({ onError: notifyError });
  const { mutate } = api.mails.preview.useMutation({ meta: { changesNothing: true } });
  const preview = usePreview(mutate, { newsletterId, words: input }, form.setErrors);
  const isOwn = input.subject !== null || input.intro !== null;
  return (
    <MailWordingForm
      form={form}
      preview={preview}
      test={test}
      onTest={() => test.mutate({ newsletterId, words: input })}
      onReset={isOwn ? () => form.setValues(wording.defaults) : null}
      text={{ name: "intro", label: t("intro"), longest: longestIntro, minRows: 5, maxRows: 16 }}
      after={
        <TextInput
          label={t("next")}
          description={t("nextDescription")}
          placeholder="https://example.org/welcome"
          type="url"
          {...form.getInputProps("nextUrl")}
        />
      }
      kind="confirmation"
      language={wording.language}
    />
  );
}
