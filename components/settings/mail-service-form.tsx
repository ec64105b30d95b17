"use client";
import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { counted } from "../ui/numbers";
import { SettingsForm, useSettingsForm } from "../ui/settings-form";
import { Banner } from "../ui/states";

type MailService = Outputs["account"]["mailService"];

/** The frame around the page says whether mails leave, so that it is read again. */
function useChanged() {
  const utils = api.useUtils();
  const router = useRouter();
  return () => {
    void utils.account.invalidate();
    router.refresh();
  };
}

/** An owner pastes Resend's key and names the sender; both are stored once Resend has accepted the key. */
export function MailServiceForm({ service }: { service: MailService }) {
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
    return hasKey ? "Saved." : "Resend accepted the key.";
  });
  return (
    <>
      {hasKey && keyStart === null && (
        <Banner tone="failed">
          The stored key can’t be decrypted because <code>AUTH_SECRET</code> has changed. Emails wait. Paste
          the key again.
        </Banner>
      )}
      {kept > 0 && <KeptMails number={kept} />}
      <Stack gap="md">
        {!hasKey && (
          <p>
            Rollcall sends email through{" "}
            <a href="https://resend.com" target="_blank" rel="noreferrer">
              Resend
            </a>
            . Create an account there, add the domain you send from, and create an API key.
          </p>
        )}
        <SettingsForm
          form={form}
          submit={hasKey ? "Save" : "Test and save"}
          actions={
            hasKey && (
              <Button variant="default" color="red" onClick={() => setRemoving(true)}>
                Remove the key …
              </Button>
            )
          }
        >
          <PasswordInput
            label="API key"
            description={
              keyStart === null
                ? "Tested with Resend, then stored encrypted. It is not shown again."
                : `The stored key starts with ${keyStart}. Leave empty to keep it.`
            }
            placeholder="re_…"
            autoComplete="off"
            {...form.getInputProps("apiKey")}
          />
          <TextInput
            label="Sender"
            description="An address of your domain. Each newsletter can have its own."
            placeholder="Weekly <hello@example.org>"
            {...form.getInputProps("sender")}
          />
          {reportsSetBy !== "environment" && (
            <PasswordInput
              label="Webhook signing secret"
              description={
                <>
                  Shows which emails were delivered. Create a webhook at Resend with all email events, for{" "}
                  <code>{appUrl}/api/webhooks/resend</code>.{" "}
                  {reportsSetBy && "A secret is stored. Leave empty to keep it."}
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
            To use a mail server instead of Resend, your operator sets <code>SMTP_URL</code>. See{" "}
            <a href="/docs/operators#a-mail-server-instead-of-resend">the operators’ guide</a>.
          </p>
        )}
      </Stack>
      {removing && <RemoveKey onClose={() => setRemoving(false)} />}
    </>
  );
}

/** Emails stored before the first key are not sent later: people don’t expect an email from weeks ago. */
function KeptMails({ number }: { number: number }) {
  const { newsletterId } = useViewer();
  return (
    <Banner action={<Link href={`/n/${newsletterId}/people?status=pending`}>Pending people</Link>}>
      {counted(number, "confirmation email")} {number === 1 ? "was" : "were"} stored before email was set up
      and {number === 1 ? "is" : "are"} not sent automatically. Ask these people again.
    </Banner>
  );
}

function RemoveKey({ onClose }: { onClose(): void }) {
  const changed = useChanged();
  const remove = api.account.removeMailService.useMutation({
    onSuccess: () => {
      onClose();
      notify("Key removed. No emails are sent.");
      changed();
    },
  });
  return (
    <Confirm
      title="Remove the key?"
      action="Remove key"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>Rollcall stops sending email for all newsletters. Emails are stored but not sent.</p>
      <p>The key stays valid at Resend. Delete it there if someone else may have it.</p>
    </Confirm>
  );
}
