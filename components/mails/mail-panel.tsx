"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { CopyButton } from "../ui/copy";
import { notify, notifyError } from "../ui/notify";
import { SidePanel } from "../ui/side-panel";
import { Failed, Loading } from "../ui/states";
import { Status } from "../ui/status";
import { Time } from "../ui/time";
import { fateOf } from "./fate";
import { MailFrame } from "./mail-frame";
import styles from "./mails.module.css";
import { wordResult } from "./trouble";

type Mail = Outputs["mails"]["get"];

/** One mail: what it says, as it looks, and what became of it. */
export default function MailPanel({ id, onClose }: { id: string; onClose(): void }) {
  const { newsletterId } = useViewer();
  const found = api.mails.get.useQuery({ newsletterId, id });
  const [plain, setPlain] = useState(false);
  const mail = found.data;
  return (
    <SidePanel label="Mail" state={mail && <Status status={fateOf(mail)} />} wide onClose={onClose}>
      {found.isPending && <Loading rows={6} />}
      {found.error && <Failed error={found.error} retry={() => found.refetch()} />}
      {mail && (
        <>
          <h2 className={styles.subject}>{mail.subject}</h2>
          <Why mail={mail} />
          <Facts mail={mail} />
          <div className={styles.tools}>
            <Again mail={mail} />
            {mail.link && <CopyButton value={mail.link}>Copy link</CopyButton>}
            <Button variant="subtle" color="gray" onClick={() => setPlain(!plain)}>
              {plain ? "As it looks" : "Plain text"}
            </Button>
          </div>
          {!mail.frozen && <p className={styles.draft}>Not written yet: this is how it would look now.</p>}
          {plain ? (
            <pre className={styles.plain}>{mail.text}</pre>
          ) : (
            <MailFrame html={mail.html} className={styles.preview} />
          )}
        </>
      )}
    </SidePanel>
  );
}

/** Why it did not arrive, and what to do; nothing when there is nothing to say. */
function Why({ mail }: { mail: Mail }) {
  const { newsletterId } = useViewer();
  if (mail.retryId) {
    return (
      <p className={styles.why}>
        {mail.errorMessage}{" "}
        <Link href={`/n/${newsletterId}/mails?mail=${mail.retryId}`}>It was sent again.</Link>
      </p>
    );
  }
  if (mail.complainedAt) {
    return (
      <p className={styles.why}>
        Its reader marked this mail as spam. This newsletter doesn’t write to the address again; only the
        person’s own link can still confirm.
      </p>
    );
  }
  if (mail.bouncedAt) {
    return (
      <p className={styles.why}>
        A mail server rejected it: “{mail.bounceReason}”. Correct the person’s address, and they are asked
        anew.
      </p>
    );
  }
  if (mail.state === "sent" && mail.delayedAt && !mail.deliveredAt) {
    return (
      <p className={styles.why}>The reader’s mail server asks to come again later. Resend goes on trying.</p>
    );
  }
  return mail.errorMessage ? <p className={styles.why}>{mail.errorMessage}</p> : null;
}

function Facts({ mail }: { mail: Mail }) {
  const { newsletterId } = useViewer();
  const times: [string, Date | null][] = [
    ["Asked for", mail.createdAt],
    [mail.state === "sent" ? "Sent" : "Finished", mail.finishedAt],
    ["Delayed", mail.delayedAt],
    ["Delivered", mail.deliveredAt],
    ["Bounced", mail.bouncedAt],
    ["As spam", mail.complainedAt],
    ["Leaves", mail.deferredUntil],
  ];
  return (
    <dl className={styles.facts}>
      <dt>To</dt>
      <dd>
        {mail.subscriberId ? (
          <Link href={`/n/${newsletterId}/people?person=${mail.subscriberId}`}>{mail.toEmail}</Link>
        ) : (
          `${mail.toEmail}, as a test`
        )}
      </dd>
      {mail.sender && (
        <>
          <dt>From</dt>
          <dd>{mail.sender}</dd>
        </>
      )}
      {times.map(
        ([what, at]) =>
          at && (
            <div key={what} className={styles.fact}>
              <dt>{what}</dt>
              <dd>
                <Time at={at} />
              </dd>
            </div>
          ),
      )}
      {mail.kind === "confirmation" && (
        <>
          <dt>Link</dt>
          <dd>
            {mail.linkExpiresAt.getTime() < Date.now() ? "expired" : "expires"}{" "}
            <Time at={mail.linkExpiresAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Sends what failed again; what was taken back anew. */
function Again({ mail }: { mail: Mail }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const [asking, setAsking] = useState(false);
  const done = () => {
    setAsking(false);
    void utils.mails.invalidate();
    void utils.newsletters.invalidate();
  };
  const retry = api.mails.retry.useMutation({
    onSuccess: (result) => {
      notify(wordResult(result));
      done();
    },
    onError: (error) => !asking && notifyError(error),
  });
  const anew = api.people.askAgain.useMutation({
    onSuccess: () => {
      notify("A new confirmation is on its way.");
      done();
    },
    onError: notifyError,
  });
  const { id, state, subscriberId } = mail;
  if (!mayEdit || !subscriberId || mail.retryId) return null;
  if (state === "cancelled") {
    return (
      <Button loading={anew.isPending} onClick={() => anew.mutate({ newsletterId, id: subscriberId })}>
        Send a new one
      </Button>
    );
  }
  if (state !== "failed" && state !== "uncertain") return null;
  const sendAgain = () => retry.mutate({ newsletterId, id });
  return (
    <>
      <Button
        loading={retry.isPending && !asking}
        onClick={() => (state === "uncertain" ? setAsking(true) : sendAgain())}
      >
        Send again
      </Button>
      {asking && (
        <Confirm
          title="Send it again?"
          action="Send 1 again"
          busy={retry.isPending}
          error={retry.error}
          onConfirm={sendAgain}
          onClose={() => setAsking(false)}
        >
          <p>Nobody knows whether this mail arrived: {mail.toEmail} may get two.</p>
          <p>The new one has a new link. If the first arrived, its link works as well.</p>
        </Confirm>
      )}
    </>
  );
}
