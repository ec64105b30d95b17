import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notifying } from "../ui/notify";
import { Facts, SidePanel } from "../ui/side-panel";
import { Banner } from "../ui/states";
import { StatusPill, useStatusWord } from "../ui/status-pill";
import { Time } from "../ui/time";
import { deliveryStatusOf, isAddressWrong } from "./delivery-status";
import { MailFrame } from "./mail-frame";
import styles from "./mails.module.css";
import { RetryButton } from "./retry-button";
import { useCopyLink } from "./use-copy-link";

type Mail = Outputs["mails"]["get"];

type PanelProps = { id: string; onClose(): void; onStep(by: 1 | -1): void };

/** One email: its text, a preview and its delivery. */
export default function MailPanel({ id, onClose, onStep }: PanelProps) {
  const t = useTranslations("mails.panel");
  const { newsletterId } = useViewer();
  const query = api.mails.get.useQuery({ newsletterId, id });
  const mail = query.data;
  return (
    <SidePanel
      label={t("label")}
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
  const t = useTranslations("mails.panel");
  const [isPlain, setPlain] = useState(false);
  return (
    <>
      <h2>{mail.subject}</h2>
      <DeliveryNote mail={mail} />
      <MailFacts mail={mail} />
      <Group gap="xs" my="md">
        <ConfirmationActions mail={mail} />
        <Button variant="subtle" color="gray" onClick={() => setPlain(!isPlain)}>
          {isPlain ? t("showPreview") : t("showPlain")}
        </Button>
      </Group>
      {!mail.frozen && <p className={kit.quiet}>{t("notCreated")}</p>}
      {isPlain ? (
        <pre className={styles.mail}>{mail.text}</pre>
      ) : (
        <MailFrame html={mail.html} className={styles.mail} />
      )}
    </>
  );
}

const isForGood = ({ bouncedAt, errorCode }: Mail) =>
  isAddressWrong({ bounced: bouncedAt !== null, code: errorCode });

/** Next steps after a confirmation email that did not arrive. */
function ConfirmationActions({ mail }: { mail: Mail }) {
  const t = useTranslations("mails.panel");
  const { newsletterId, mayEdit, sends } = useViewer();
  const copyLink = useCopyLink();
  const { id, kind, state, subscriberId, retryId } = mail;
  if (!mayEdit || kind !== "confirmation") return null;
  const canSend = subscriberId !== null && retryId === null;
  return (
    <>
      {/* Opens the person's form. A new address gets a new confirmation email. */}
      {canSend && isForGood(mail) && (
        <Button component={Link} href={`/n/${newsletterId}/people?person=${subscriberId}&edit=true`}>
          {t("correctAddress")}
        </Button>
      )}
      {canSend && <SendAgain mail={mail} subscriberId={subscriberId} />}
      {/* The link of a sent email belongs to its recipient alone. */}
      {!sends && state === "logged" && (
        <Button variant="default" leftSection={<icons.copy />} onClick={() => copyLink(id)}>
          {t("copyLink")}
        </Button>
      )}
    </>
  );
}

/** Explains a failed delivery and the next step. Hidden without a failure. */
function DeliveryNote({ mail }: { mail: Mail }) {
  const t = useTranslations("mails.panel");
  const { newsletterId } = useViewer();
  const reason = mail.errorMessage && fromServer(mail.errorMessage);
  let note: ReactNode = reason;
  if (mail.retryId) {
    note = (
      <>
        {reason} <Link href={`/n/${newsletterId}/mails?mail=${mail.retryId}`}>{t("replaced")}</Link>
      </>
    );
  } else if (mail.complainedAt) {
    note = t("complained");
  } else if (mail.bouncedAt) {
    note = t("bounced", { reason: fromServer(mail.bounceReason ?? "") });
  } else if (mail.state === "sent" && mail.delayedAt && !mail.deliveredAt) {
    note = t("delayed");
  }
  return note ? <Banner>{note}</Banner> : null;
}

function MailFacts({ mail }: { mail: Mail }) {
  const t = useTranslations("mails.panel");
  const wordOf = useStatusWord();
  const { newsletterId } = useViewer();
  const time = (at: Date | null) => at && <Time at={at} />;
  const isExpired = mail.linkExpiresAt.getTime() < Date.now();
  const recipient = mail.subscriberId ? (
    <Link href={`/n/${newsletterId}/people?person=${mail.subscriberId}`}>{mail.toEmail}</Link>
  ) : (
    t("testTo", { email: mail.toEmail })
  );
  const link =
    mail.kind === "confirmation" &&
    t.rich(isExpired ? "linkExpired" : "linkExpires", { time: () => <Time at={mail.linkExpiresAt} /> });
  const facts: [string, ReactNode][] = [
    [t("facts.to"), recipient],
    [t("facts.from"), mail.sender],
    [t("facts.requested"), time(mail.createdAt)],
    [mail.state === "sent" ? wordOf("sent") : t("facts.finished"), time(mail.finishedAt)],
    [wordOf("delayed"), time(mail.delayedAt)],
    [wordOf("delivered"), time(mail.deliveredAt)],
    [wordOf("bounced"), time(mail.bouncedAt)],
    [wordOf("complained"), time(mail.complainedAt)],
    [t("facts.nextTry"), time(mail.deferredUntil)],
    [t("facts.link"), link],
  ];
  return <Facts facts={facts} />;
}

/** Sends a failed email again, or a new email in place of a cancelled one. */
function SendAgain({ mail, subscriberId }: { mail: Mail; subscriberId: string }) {
  const t = useTranslations("mails.panel");
  const { newsletterId, sends } = useViewer();
  const { client } = api.useUtils();
  const askAgain = api.people.askAgain.useMutation(notifying(sends ? t("newQueued") : t("newStored")));
  const { id, state } = mail;
  if (state === "cancelled") {
    return (
      <Button
        loading={askAgain.isPending}
        onClick={() => askAgain.mutate({ newsletterId, id: subscriberId })}
      >
        {t("sendNew")}
      </Button>
    );
  }
  if (state !== "failed" && state !== "uncertain") return null;
  return (
    <RetryButton
      label={t("sendAgain")}
      variant={isForGood(mail) ? "default" : "filled"}
      mails={1}
      retry={() => client.mails.retry.mutate({ newsletterId, id })}
      {...(state === "uncertain" && { recipient: { email: mail.toEmail } })}
    />
  );
}
