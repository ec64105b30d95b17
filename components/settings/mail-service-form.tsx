"use client";
import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { SettingsForm, useSettingsForm } from "../ui/settings-form";
import { Banner } from "../ui/states";

type MailService = Outputs["account"]["mailService"];

const code = (chunks: ReactNode) => <code>{chunks}</code>;

/** Refreshes the frame around the page, which shows whether emails are sent. */
function useChanged() {
  const utils = api.useUtils();
  const router = useRouter();
  return () => {
    void utils.account.invalidate();
    router.refresh();
  };
}

/** An owner enters a Resend API key and the sender. Both are stored once Resend accepts the key. */
export function MailServiceForm({ service }: { service: MailService }) {
  const t = useTranslations("settings.sending.form");
  const { setBy, sender, keyStart, reportsSetBy } = service;
  const { newsletterId, appUrl } = useViewer();
  const utils = api.useUtils();
  const changed = useChanged();
  const [kept, setKept] = useState(0);
  const [removing, setRemoving] = useState(false);
  const set = api.account.setMailService.useMutation();
  const hasKey = setBy === "dashboard";
  const initial = { apiKey: "", sender: sender ?? "", webhookSecret: "" };
  const form = useSettingsForm(initial, async (values) => {
    const apiKey = values.apiKey.trim() || null;
    const webhookSecret = values.webhookSecret.trim() || null;
    await set.mutateAsync({ service: { apiKey, sender: values.sender, webhookSecret } });
    form.setValues({ ...initial, sender: values.sender });
    if (!hasKey) setKept(utils.mails.kept.getData({ newsletterId }) ?? 0);
    changed();
    return hasKey ? t("saved") : t("accepted");
  });
  return (
    <>
      {hasKey && keyStart === null && (
        <Banner tone="failed">{t.rich("unreadableKey", { variable: "AUTH_SECRET", code })}</Banner>
      )}
      {kept > 0 && <KeptMails number={kept} />}
      <Stack gap="md">
        {!hasKey && (
          <p>
            {t.rich("intro", {
              link: (chunks) => (
                <a href="https://resend.com" target="_blank" rel="noreferrer">
                  {chunks}
                </a>
              ),
            })}
          </p>
        )}
        <SettingsForm
          form={form}
          submit={hasKey ? t("save") : t("testAndSave")}
          actions={
            hasKey && (
              <Button variant="default" color="red" onClick={() => setRemoving(true)}>
                {t("remove")}
              </Button>
            )
          }
        >
          <PasswordInput
            label={t("apiKey")}
            description={keyStart === null ? t("apiKeyHint") : t("apiKeyStored", { start: keyStart })}
            placeholder="re_…"
            autoComplete="off"
            {...form.getInputProps("apiKey")}
          />
          <TextInput
            label={t("sender")}
            description={t("senderHint")}
            placeholder="Weekly <hello@example.org>"
            {...form.getInputProps("sender")}
          />
          {reportsSetBy !== "environment" && (
            <PasswordInput
              label={t("webhookSecret")}
              description={
                <>
                  {t.rich("webhookSecretHint", { url: `${appUrl}/api/webhooks/resend`, code })}{" "}
                  {reportsSetBy && t("webhookSecretStored")}
                </>
              }
              placeholder="whsec_…"
              autoComplete="off"
              {...form.getInputProps("webhookSecret")}
            />
          )}
        </SettingsForm>
        {!hasKey && (
          <p className={kit.quiet}>
            {t.rich("mailServer", {
              variable: "SMTP_URL",
              code,
              link: (chunks) => <a href="/docs/operators#a-mail-server-instead-of-resend">{chunks}</a>,
            })}
          </p>
        )}
      </Stack>
      {removing && <RemoveKey onClose={() => setRemoving(false)} />}
    </>
  );
}

/** Emails stored before the first key are not sent later: people don’t expect an email from weeks ago. */
function KeptMails({ number }: { number: number }) {
  const t = useTranslations("settings.sending.form");
  const { newsletterId } = useViewer();
  return (
    <Banner action={<Link href={`/n/${newsletterId}/people?status=pending`}>{t("keptLink")}</Link>}>
      {t("kept", { n: number })}
    </Banner>
  );
}

function RemoveKey({ onClose }: { onClose(): void }) {
  const t = useTranslations("settings.sending.removal");
  const changed = useChanged();
  const { mutateAsync } = api.account.removeMailService.useMutation();
  const remove = async () => {
    await mutateAsync();
    notify(t("done"));
    changed();
  };
  return (
    <Confirm title={t("title")} action={t("action")} danger onConfirm={remove} onClose={onClose}>
      <p>{t("consequence")}</p>
      <p>{t("staysValid")}</p>
    </Confirm>
  );
}
