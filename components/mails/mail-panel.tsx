"use client";
import { ActionIcon, Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { api } from "../api";
import { icons } from "../icons";
import { CopyButton } from "../parts/copy";
import { say, sayWhyNot } from "../parts/say";
import { Failed, Loading } from "../parts/states";
import { Status } from "../parts/status";
import { Time } from "../parts/time";
import { useViewer } from "../shell/viewer";
import styles from "./mails.module.css";

/** One mail: what it says, as it looks, and what became of it. */
export default function MailPanel({ id, onClose }: { id: string; onClose(): void }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const found = api.mails.get.useQuery({ newsletterId, id });
  const [plain, setPlain] = useState(false);
  const again = api.people.askAgain.useMutation({
    onSuccess: () => {
      say("A new confirmation is on its way.");
      void utils.mails.invalidate();
    },
    onError: sayWhyNot,
  });
  const mail = found.data;
  const subscriberId = mail?.subscriberId;
  return (
    <aside className={styles.panel} aria-label="Mail">
      <div className={styles.top}>
        <span>{mail && <Status status={mail.state} />}</span>
        <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={onClose}>
          <icons.close />
        </ActionIcon>
      </div>
      {found.isPending && <Loading rows={6} />}
      {found.error && <Failed error={found.error} retry={() => found.refetch()} />}
      {mail && (
        <>
          <h2 className={styles.subject}>{mail.subject}</h2>
          {mail.errorMessage && <p className={styles.why}>{mail.errorMessage}</p>}
          <dl className={styles.facts}>
            <dt>To</dt>
            <dd>
              {mail.subscriberId ? (
                <Link href={`/n/${newsletterId}/people?person=${mail.subscriberId}`}>{mail.toEmail}</Link>
              ) : (
                `${mail.toEmail}, a test`
              )}
            </dd>
            {mail.sender && (
              <>
                <dt>From</dt>
                <dd>{mail.sender}</dd>
              </>
            )}
            <dt>Asked for</dt>
            <dd>
              <Time at={mail.createdAt} />
            </dd>
            {mail.settledAt && (
              <>
                <dt>Settled</dt>
                <dd>
                  <Time at={mail.settledAt} />
                </dd>
              </>
            )}
            {mail.heldUntil && (
              <>
                <dt>Leaves</dt>
                <dd>
                  <Time at={mail.heldUntil} />
                </dd>
              </>
            )}
            <dt>Link</dt>
            <dd>
              {mail.linkExpiresAt.getTime() < Date.now() ? "expired" : "expires"}{" "}
              <Time at={mail.linkExpiresAt} />
            </dd>
          </dl>
          <div className={styles.tools}>
            {mail.link && <CopyButton value={mail.link}>Copy link</CopyButton>}
            {mayEdit && subscriberId && ["failed", "uncertain", "cancelled"].includes(mail.state) && (
              <Button
                loading={again.isPending}
                onClick={() => again.mutate({ newsletterId, id: subscriberId })}
              >
                Send a new one
              </Button>
            )}
            <Button variant="subtle" color="gray" onClick={() => setPlain(!plain)}>
              {plain ? "As it looks" : "Plain text"}
            </Button>
          </div>
          {!mail.frozen && <p className={styles.draft}>Not written yet: this is how it would look now.</p>}
          {plain ? (
            <pre className={styles.plain}>{mail.text}</pre>
          ) : (
            // No script runs in it, and its links lead nowhere.
            <iframe className={styles.preview} title="The mail as it looks" sandbox="" srcDoc={mail.html} />
          )}
        </>
      )}
    </aside>
  );
}
