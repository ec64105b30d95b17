"use client";
import { Switch } from "@mantine/core";
import { useTranslations } from "use-intl";
import { longestWelcome } from "@/server/mail/schema/welcome-mail";
import { LeaveGuard } from "../shell/leave-guard";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { ListPage } from "../ui/list-page";
import { notifyError } from "../ui/notify";
import { usePreview } from "../ui/preview";
import { useSettingsForm } from "../ui/settings-form";
import { BackToMails, MailWordingForm } from "./mail-wording";

type Welcome = Outputs["mails"]["welcome"]["get"];
/** The form's values. Fields without a custom text hold the default text. */
type Values = { on: boolean; subject: string; text: string };

const valuesOf = ({ on, own, defaults }: Welcome): Values => ({
  on,
  subject: own.subject ?? defaults.subject,
  text: own.text ?? defaults.text,
});

/** A default text is stored as null, so it follows the newsletter's language. */
const toInput = ({ on, subject, text }: Values, { defaults }: Welcome) => ({
  on,
  subject: subject.trim() === defaults.subject ? null : subject,
  text: text.trim() === defaults.text ? null : text,
});

/** Edits a newsletter's welcome email, beside a preview. */
export function WelcomeMailPage() {
  const t = useTranslations("mails.welcome");
  const { newsletterId } = useViewer();
  const query = api.mails.welcome.get.useQuery({ newsletterId });
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />} footer={<LeaveGuard />}>
      {(welcome) => <WelcomeMailForm key={newsletterId} welcome={welcome} />}
    </ListPage>
  );
}

function WelcomeMailForm({ welcome }: { welcome: Welcome }) {
  const t = useTranslations("mails.welcome");
  const { newsletterId } = useViewer();
  const save = api.mails.welcome.save.useMutation();
  const form = useSettingsForm(valuesOf(welcome), async (values, { was }) => {
    await save.mutateAsync({ newsletterId, welcome: toInput(values, welcome), was: toInput(was, welcome) });
    return values.on ? t("savedOn") : t("savedOff");
  });
  const input = toInput(form.values, welcome);
  const test = api.mails.welcome.sendTest.useMutation({ onError: notifyError });
  const { mutate } = api.mails.welcome.preview.useMutation({ meta: { changesNothing: true } });
  const preview = usePreview(mutate, { newsletterId, welcome: input }, form.setErrors);
  const isOwn = input.subject !== null || input.text !== null;
  return (
    <MailWordingForm
      form={form}
      preview={preview}
      test={test}
      onTest={() => test.mutate({ newsletterId, welcome: input })}
      onReset={isOwn ? () => form.setValues(welcome.defaults) : null}
      text={{ name: "text", label: t("text"), longest: longestWelcome, minRows: 8, maxRows: 24 }}
      before={
        <Switch
          label={t("on")}
          description={t("onDescription")}
          {...form.getInputProps("on", { type: "checkbox" })}
        />
      }
      kind="welcome"
      language={welcome.language}
    />
  );
}
