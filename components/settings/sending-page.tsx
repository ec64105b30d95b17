"use client";
import { Stack } from "@mantine/core";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Loaded } from "../ui/list-page";
import { MailServiceForm } from "./mail-service-form";
import { SendingDomains } from "./sending-domains";

type MailService = Outputs["account"]["mailService"];

/** By what mails leave and as whom, and whether the domains that they come from are verified. */
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

/** For those who do not set it: how mails leave, and who sets it. */
function MailServiceText({ service }: { service: MailService }) {
  const { appUrl } = useViewer();
  const { setBy, kind, sender, isOpen, reportsSetBy } = service;
  const by = kind === "smtp" ? "a mail server" : "Resend";
  return (
    <Stack gap="md">
      <p>
        {kind === null ? (
          "Email is not set up. Emails are stored but not sent."
        ) : (
          <>
            Emails are sent through {by}
            {sender && (
              <>
                , from <b>{sender}</b> unless a newsletter has its own sender
              </>
            )}
            .
          </>
        )}
      </p>
      {isOpen ? (
        <p>Only owners can change this.</p>
      ) : (
        <OperatorSets byEnvironment={setBy === "environment"} />
      )}
      {kind === "resend" && !reportsSetBy && !isOpen && (
        <p>
          Rollcall receives no delivery reports. Create a webhook at Resend for{" "}
          <code>{appUrl}/api/webhooks/resend</code>, and set <code>RESEND_WEBHOOK_SECRET</code> to its signing
          secret.
        </p>
      )}
    </Stack>
  );
}

function OperatorSets({ byEnvironment }: { byEnvironment: boolean }) {
  return (
    <p>
      {byEnvironment
        ? "This is set in the environment."
        : "Several accounts share this installation, so email is set in the environment."}{" "}
      Your operator can change it. See <a href="/docs/operators#settings">the operators’ guide</a>.
    </p>
  );
}
