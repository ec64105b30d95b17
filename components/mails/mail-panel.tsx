"use client";
import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { Facts, SidePanel } from "../ui/side-panel";
import { Banner } from "../ui/states";
import { StatusPill } from "../ui/status";
import { Time } from "../ui/time";
import { deliveryStatusOf } from "./delivery-status";
import { MailFrame } from "./mail-frame";
import { askedFor } from "./mail-words";
import styles from "./mails.module.css";
import { RetryButton } from "./retry-button";
import { useCopyLink } from "./use-copy-link";

type Mail = Outputs["mails"]["get"];

type PanelProps = { id: string; onClose(): void; onStep(by: 1 | -1): void };

/** One mail: its text, how it looks, and what became of it. */
export default function MailPanel({ id, onClose, onStep }: PanelProps) {
  const { newsletterId } = useViewer();
  const query = api.mails.get.useQuery({ newsletterId, id });
  const mail = query.data;
  return (
    <SidePanel
      label="Email"
      state={mail && <StatusPill status={deliveryStatusOf(mail)} />}
      wide
      onStep={onStep}
      onClose={onClose}
    >
      <Loaded query={query} rows={6}>
        {(found) => <MailDetails mail={found} />}
      </Loaded>
    </SidePanel>
  );
}

function MailDetails({ mail }: { mail: Mail }) {
  const [isPlain, setPlain] = useState(false);
  return (
    <>
      <h2>{mail.subject}</h2>
      <DeliveryNote mail={mail} />
      <MailFacts mail={mail} />
      <Group gap="xs" my="md">
        <CorrectAddress mail={mail} />
        <SendAgain mail={mail} />
        <CopyLink mail={mail} />
        <Button variant="subtle" color="gray" onClick={() => setPlain(!isPlain)}>
          {isPlain ? "Preview" : "Plain text"}
        </Button>
      </Group>
      {!mail.frozen && <p className={kit.quiet}>Not created yet. This is how it would look now.</p>}
      {isPlain ? (
        <pre className={styles.mail}>{mail.text}</pre>
      ) : (
        <MailFrame html={mail.html} className={styles.mail} />
      )}
    </>
  );
}

/** Nobody can be reached at this address, so that sending again is of no use. */
const isForGood = ({ bouncedAt, errorCode }: Mail) => bouncedAt !== null || errorCode === "validation_error";

/** Opens the person's form: with another address they are asked anew. */
function CorrectAddress({ mail }: { mail: Mail }) {
  const { newsletterId, mayEdit } = useViewer();
  const { kind, subscriberId, retryId } = mail;
  if (!mayEdit || !subscriberId || kind !== "confirmation" || retryId || !isForGood(mail)) return null;
  return (
    <Button component={Link} href={`/n/${newsletterId}/people?person=${subscriberId}&edit=true`}>
      Correct the address
    </Button>
  );
}

/** Of a mail that was only logged, while none leaves; the link of one that left is its reader's alone. */
function CopyLink({ mail: { id, kind, state } }: { mail: Mail }) {
  const { sends, mayEdit } = useViewer();
  const copyLink = useCopyLink();
  if (sends || !mayEdit || kind !== "confirmation" || state !== "logged") return null;
  return (
    <Button variant="default" leftSection={<icons.copy />} onClick={() => copyLink(id)}>
      Copy link
    </Button>
  );
}

/** Why it did not arrive, and what to do; nothing when all is well. */
function DeliveryNote({ mail }: { mail: Mail }) {
  const { newsletterId } = useViewer();
  let note: ReactNode = mail.errorMessage;
  if (mail.retryId) {
    note = (
      <>
        {mail.errorMessage}{" "}
        <Link href={`/n/${newsletterId}/mails?mail=${mail.retryId}`}>Replaced by a newer email.</Link>
      </>
    );
  } else if (mail.complainedAt) {
    note =
      "The reader reported this email as spam. The newsletter no longer emails this address. The person can still confirm with their own link.";
  } else if (mail.bouncedAt) {
    note = `A mail server rejected it: “${mail.bounceReason}”. Correct the person’s address to request a new confirmation.`;
  } else if (mail.state === "sent" && mail.delayedAt && !mail.deliveredAt) {
    note = "Delivery delayed by the recipient’s server. The email provider is retrying.";
  }
  return note ? <Banner>{note}</Banner> : null;
}

function MailFacts({ mail }: { mail: Mail }) {
  const { newsletterId } = useViewer();
  const time = (at: Date | null) => at && <Time at={at} />;
  const isExpired = mail.linkExpiresAt.getTime() < Date.now();
  const recipient = mail.subscriberId ? (
    <Link href={`/n/${newsletterId}/people?person=${mail.subscriberId}`}>{mail.toEmail}</Link>
  ) : (
    `${mail.toEmail}, as a test`
  );
  const link = mail.kind === "confirmation" && (
    <>
      {isExpired ? "expired" : "expires"} <Time at={mail.linkExpiresAt} />
    </>
  );
  const facts: [string, ReactNode][] = [
    ["To", recipient],
    ["From", mail.sender],
    ["Requested", time(mail.createdAt)],
    [mail.state === "sent" ? "Sent" : "Finished", time(mail.finishedAt)],
    ["Delayed", time(mail.delayedAt)],
    ["Delivered", time(mail.deliveredAt)],
    ["Bounced", time(mail.bouncedAt)],
    ["Marked as spam", time(mail.complainedAt)],
    ["Next try", time(mail.deferredUntil)],
    ["Link", link],
  ];
  return <Facts facts={facts} />;
}

/** Sends a failed mail again, and a new mail in place of a cancelled one. */
function SendAgain({ mail }: { mail: Mail }) {
  const { newsletterId, mayEdit, sends } = useViewer();
  const { client } = api.useUtils();
  const askAgain = api.people.askAgain.useMutation({
    onSuccess: () => notify(askedFor("A new confirmation", sends)),
    onError: notifyError,
  });
  const { id, kind, state, subscriberId } = mail;
  if (!mayEdit || !subscriberId || kind !== "confirmation" || mail.retryId) return null;
  if (state === "cancelled") {
    return (
      <Button
        loading={askAgain.isPending}
        onClick={() => askAgain.mutate({ newsletterId, id: subscriberId })}
      >
        Send a new one
      </Button>
    );
  }
  if (state !== "failed" && state !== "uncertain") return null;
  return (
    <RetryButton
      label="Send again"
      variant={isForGood(mail) ? "default" : "filled"}
      mails={1}
      retry={() => client.mails.retry.mutate({ newsletterId, id })}
      {...(state === "uncertain" && { recipient: mail.toEmail })}
    />
  );
}
