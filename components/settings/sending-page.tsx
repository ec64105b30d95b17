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
          "No mail leaves: they are written and kept here."
        ) : (
          <>
            Mails leave by {by}
            {sender && (
              <>
                , as <b>{sender}</b> where a newsletter has no sender of its own
              </>
            )}
            .
          </>
        )}
      </p>
      {isOpen ? <p>Only owners change this.</p> : <OperatorSets byEnvironment={setBy === "environment"} />}
      {kind === "resend" && !reportsSetBy && !isOpen && (
        <p>
          Nobody reports to Rollcall what became of mails. For that, a webhook at Resend leads to{" "}
          <code>{appUrl}/api/webhooks/resend</code>, and <code>RESEND_WEBHOOK_SECRET</code> is set to its
          signing secret.
        </p>
      )}
    </Stack>
  );
}

function OperatorSets({ byEnvironment }: { byEnvironment: boolean }) {
  return (
    <p>
      {byEnvironment
        ? "The environment of this Rollcall says so."
        : "Several accounts use this Rollcall, so none of them sets it for the others."}{" "}
      Whoever operates it can change it: see <a href="/docs/operators#settings">the guide for operators</a>.
    </p>
  );
}
