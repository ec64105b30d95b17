"use client";
import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { api, type Outputs } from "../trpc";
import { Loaded } from "../ui/list-page";
import { MailServiceForm } from "./mail-service-form";
import { SendingDomains } from "./sending-domains";

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
  const t = useTranslations("settings.sending");
  const { appUrl } = useViewer();
  const { setBy, kind, sender, isOpen, reportsSetBy } = service;
  const code = (chunks: ReactNode) => <code>{chunks}</code>;
  return (
    <Stack gap="md">
      <p>
        {kind === null
          ? t("noService")
          : sender
            ? t.rich(`throughAs.${kind}`, { sender, b: bold })
            : t(`through.${kind}`)}
      </p>
      {isOpen ? <p>{t("ownersOnly")}</p> : <OperatorSets byEnvironment={setBy === "environment"} />}
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

function OperatorSets({ byEnvironment }: { byEnvironment: boolean }) {
  const t = useTranslations("settings.sending");
  const link = (chunks: ReactNode) => <a href="/docs/operators#settings">{chunks}</a>;
  return (
    <p>{byEnvironment ? t.rich("setInEnvironment", { link }) : t.rich("sharedInstallation", { link })}</p>
  );
}
