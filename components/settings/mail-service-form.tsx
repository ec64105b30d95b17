"use client";
import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { counted } from "../ui/numbers";
import { Banner } from "../ui/states";
import { useUnsaved } from "../ui/unsaved";

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
  const form = useServerForm(initial, async (values) => {
    const apiKey = values.apiKey.trim() || null;
    const webhookSecret = values.webhookSecret.trim() || null;
    await set.mutateAsync({ service: { apiKey, sender: values.sender, webhookSecret } });
    const saved = { ...initial, sender: values.sender };
    form.setValues(saved);
    form.resetDirty(saved);
    if (!hasKey) setKept(utils.mails.kept.getData({ newsletterId }) ?? 0);
    notify(hasKey ? "Saved." : "Resend accepted the key.");
    changed();
  });
  useUnsaved(form.isDirty());
  return (
    <>
      {hasKey && keyStart === null && (
        <Banner tone="failed">
          The stored key can’t be decrypted, because <code>AUTH_SECRET</code> is another than when it was set.
          Mails wait; paste a key again.
        </Banner>
      )}
      {kept > 0 && <KeptMails number={kept} />}
      <Stack gap="md">
        {!hasKey && (
          <p>
            Rollcall sends its mails through{" "}
            <a href="https://resend.com" target="_blank" rel="noreferrer">
              Resend
            </a>
            . Make an account there, add the domain that your mails come from, and make an API key.
          </p>
        )}
        <Form
          form={form}
          submit={hasKey ? "Save" : "Test and save"}
          disabled={!form.isDirty()}
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
                ? "Tested with Resend, then kept encrypted. Nobody can read it here again."
                : `The stored one begins with ${keyStart}. Empty: it stays.`
            }
            placeholder="re_…"
            autoComplete="off"
            {...form.getInputProps("apiKey")}
          />
          <TextInput
            label="Sender"
            description="Of your domain. A newsletter can have one of its own."
            placeholder="Weekly <hello@example.org>"
            {...form.getInputProps("sender")}
          />
          {reportsSetBy !== "environment" && (
            <PasswordInput
              label="Signing secret of a webhook"
              description={
                <>
                  So that mails show whether they arrived. Make the webhook at Resend, with all events of
                  mails; it leads to <code>{appUrl}/api/webhooks/resend</code>.{" "}
                  {reportsSetBy && "There is one. Empty: it stays."}
                </>
              }
              placeholder="whsec_…"
              autoComplete="off"
              {...form.getInputProps("webhookSecret")}
            />
          )}
        </Form>
        {!hasKey && (
          <p className={kit.quiet}>
            For a mail server instead of Resend, whoever operates this Rollcall sets <code>SMTP_URL</code>:
            see <a href="/docs/operators#a-mail-server-instead-of-resend">the guide for operators</a>.
          </p>
        )}
      </Stack>
      {removing && <RemoveKey onClose={() => setRemoving(false)} />}
    </>
  );
}

/** What was written before the first key does not leave by itself: nobody expects a mail of weeks ago. */
function KeptMails({ number }: { number: number }) {
  const { newsletterId } = useViewer();
  return (
    <Banner action={<Link href={`/n/${newsletterId}/people?status=pending`}>Pending people</Link>}>
      {counted(number, "confirmation")} {number === 1 ? "was" : "were"} kept here until now and{" "}
      {number === 1 ? "does" : "do"} not leave by {number === 1 ? "itself" : "themselves"}. Ask these people
      again.
    </Banner>
  );
}

function RemoveKey({ onClose }: { onClose(): void }) {
  const changed = useChanged();
  const remove = api.account.removeMailService.useMutation({
    onSuccess: () => {
      onClose();
      notify("The key is removed. No mail leaves.");
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
      <p>No mail leaves from then on: mails are written and kept here, those of all newsletters.</p>
      <p>At Resend the key stays valid; delete it there, too, if somebody else may have it.</p>
    </Confirm>
  );
}
