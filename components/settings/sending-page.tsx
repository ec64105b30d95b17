"use client";
import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import type { StatusLook } from "@/server/mail/schema/mail-states";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { code } from "../texts/code";
import { fromServer } from "../texts/server-sentences";
import { api, changesFrame, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { SettingsForm, useSettingsForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify } from "../ui/notify";
import { Banner, Row } from "../ui/states";
import { StatusPill } from "../ui/status-pill";

type MailService = Outputs["account"]["mailService"];

/** The mail provider, the sender and the verification of sender domains. */
export function SendingPage() {
  const { isOwner } = useViewer();
  const query = api.account.mailService.useQuery();
  return (
    <Loaded query={query} rows={3}>
      {(service) => (
        <>
          {isOwner && service.isOpen ? (
            <MailServiceForm service={service} />
          ) : (
            <MailServiceText service={service} />
          )}
          {isOwner && service.kind === "resend" && <SendingDomains />}
        </>
      )}
    </Loaded>
  );
}

/** For staff other than owners: the mail provider, and who configures it. */
function MailServiceText({ service }: { service: MailService }) {
  const t = useTranslations("account.sending");
  const { appUrl } = useViewer();
  const { setBy, kind, sender, isOpen, reportsSetBy } = service;
  const link = (chunks: ReactNode) => <a href="/docs/operators#settings">{chunks}</a>;
  return (
    <Stack gap="md">
      <p>
        {kind === null
          ? t("noService")
          : sender
            ? t.rich(`throughAs.${kind}`, { sender, b: bold })
            : t(`through.${kind}`)}
      </p>
      <p>
        {isOpen
          ? t("ownersOnly")
          : t.rich(setBy === "environment" ? "setInEnvironment" : "sharedInstallation", { link })}
      </p>
      {kind === "resend" && !reportsSetBy && !isOpen && (
        <p>
          {t.rich("noReports", {
            url: `${appUrl}/api/webhooks/resend`,
            variable: "RESEND_WEBHOOK_SECRET",
            code,
          })}
        </p>
      )}
    </Stack>
  );
}

/** An owner enters a Resend API key and the sender. Both are stored once Resend accepts the key. */
function MailServiceForm({ service }: { service: MailService }) {
  const t = useTranslations("account.sending.form");
  const { setBy, sender, keyStart, reportsSetBy } = service;
  const { newsletterId, appUrl } = useViewer();
  const utils = api.useUtils();
  const [kept, setKept] = useState(0);
  const [removing, setRemoving] = useState(false);
  const set = api.account.setMailService.useMutation(changesFrame);
  const hasKey = setBy === "dashboard";
  const initial = { apiKey: "", sender: sender ?? "", webhookSecret: "" };
  const save = async (values: typeof initial) => {
    const apiKey = values.apiKey.trim() || null;
    const webhookSecret = values.webhookSecret.trim() || null;
    await set.mutateAsync({ service: { apiKey, sender: values.sender, webhookSecret } });
    if (!hasKey) setKept(utils.mails.kept.getData({ newsletterId }) ?? 0);
    return hasKey ? t("saved") : t("accepted");
  };
  const form = useSettingsForm(initial, save, ["apiKey", "webhookSecret"]);
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
          submit={hasKey ? undefined : t("testAndSave")}
          actions={
            hasKey && (
              <Button variant="default" color="red" onClick={() => setRemoving(true)}>
                {t("remove")}
              </Button>
            )
          }
        >
          <PasswordInput
            {...form.input(
              "apiKey",
              t("apiKey"),
              keyStart === null ? t("apiKeyHint") : t("apiKeyStored", { start: keyStart }),
            )}
            placeholder="re_…"
            autoComplete="off"
          />
          <TextInput
            {...form.input("sender", t("sender"), t("senderHint"))}
            placeholder="Weekly <hello@example.org>"
          />
          {reportsSetBy !== "environment" && (
            <PasswordInput
              {...form.input("webhookSecret", t("webhookSecret"))}
              description={
                <>
                  {t.rich("webhookSecretHint", { url: `${appUrl}/api/webhooks/resend`, code })}{" "}
                  {reportsSetBy && t("webhookSecretStored")}
                </>
              }
              placeholder="whsec_…"
              autoComplete="off"
            />
          )}
        </SettingsForm>
        {!hasKey && <MailServerHint />}
      </Stack>
      {removing && <RemoveKey onClose={() => setRemoving(false)} />}
    </>
  );
}

function MailServerHint() {
  const t = useTranslations("account.sending.form");
  return (
    <p className={kit.quiet}>
      {t.rich("mailServer", {
        variable: "SMTP_URL",
        code,
        link: (chunks) => <a href="/docs/operators#a-mail-server-instead-of-resend">{chunks}</a>,
      })}
    </p>
  );
}

/** Emails stored before the first key are not sent later: people don’t expect an email from weeks ago. */
function KeptMails({ number }: { number: number }) {
  const t = useTranslations("account.sending.form");
  const { newsletterId } = useViewer();
  return (
    <Banner action={<Link href={`/n/${newsletterId}/people?status=pending`}>{t("keptLink")}</Link>}>
      {t("kept", { n: number })}
    </Banner>
  );
}

function RemoveKey({ onClose }: { onClose(): void }) {
  const t = useTranslations("account.sending.removal");
  const { mutateAsync } = api.account.removeMailService.useMutation(changesFrame);
  const remove = async () => {
    await mutateAsync();
    notify(t("done"));
  };
  return (
    <Confirm title={t("title")} action={t("action")} danger onConfirm={remove} onClose={onClose}>
      <p>{t("consequence")}</p>
      <p>{t("staysValid")}</p>
    </Confirm>
  );
}

type Domain = Outputs["account"]["sendingDomains"]["domains"][number];

const tones: Record<Domain["state"], StatusLook["tone"]> = {
  verified: "active",
  waiting: "pending",
  absent: "failed",
};

/** Resend's status of all sender domains. */
function SendingDomains() {
  const t = useTranslations("account.sending.domains");
  const { newsletterId } = useViewer();
  const query = api.account.sendingDomains.useQuery();
  return (
    <section aria-labelledby="sending-domains">
      <h2 id="sending-domains">{t("heading")}</h2>
      <Loaded query={query} rows={1}>
        {({ domains, problem }) => (
          <>
            {problem && <p>{fromServer(problem)}</p>}
            <ul className={kit.rows}>
              {domains.map(({ domain, state }) => (
                <Row key={domain} title={domain} note={t(`notes.${state}`)}>
                  <StatusPill status={{ word: t(`states.${state}`), tone: tones[state] }} />
                </Row>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Group gap="xs" mt="md">
        <Button variant="default" loading={query.isFetching} onClick={() => query.refetch()}>
          {t("checkAgain")}
        </Button>
        <Link href={`/n/${newsletterId}/mails/confirmation`}>{t("sendTest")}</Link>
      </Group>
    </section>
  );
}
