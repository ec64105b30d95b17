"use client";
import { Button, Group } from "@mantine/core";
import Link from "next/link";
import type { StatusLook } from "@/server/contract/mail-states";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { StatusPill } from "../ui/status";

type Domain = Outputs["account"]["sendingDomains"]["domains"][number];

const looks: Record<Domain["state"], StatusLook & { text: string }> = {
  verified: { word: "Verified", tone: "active", text: "Emails from this domain are sent." },
  waiting: {
    word: "Not verified",
    tone: "pending",
    text: "Resend waits for the DNS records listed there under Domains. Until then, emails from this domain fail.",
  },
  absent: {
    word: "Not at Resend",
    tone: "failed",
    text: "Add the domain at Resend under Domains, or use another sender. Until then, emails from this domain fail.",
  },
};

/** What Resend says of the domains of all senders. */
export function SendingDomains() {
  const { newsletterId } = useViewer();
  const query = api.account.sendingDomains.useQuery();
  return (
    <section aria-labelledby="sending-domains">
      <h2 id="sending-domains">Domains</h2>
      <Loaded query={query} rows={1}>
        {({ domains, problem }) => (
          <>
            {problem && <p>{problem}</p>}
            <ul className={kit.rows}>
              {domains.map(({ domain, state }) => (
                <li key={domain}>
                  <div className={kit.entry}>
                    <b>{domain}</b>
                    <div className={kit.quiet}>{looks[state].text}</div>
                  </div>
                  <StatusPill status={looks[state]} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Group gap="xs" mt="md">
        <Button variant="default" loading={query.isFetching} onClick={() => query.refetch()}>
          Check again
        </Button>
        <Link href={`/n/${newsletterId}/mails/confirmation`}>Send yourself a test</Link>
      </Group>
    </section>
  );
}
