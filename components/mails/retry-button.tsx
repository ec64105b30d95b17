"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { RetryableState } from "@/server/contract/mail-states";
import { useViewer } from "../shell/viewer";
import { Confirm } from "../ui/confirm";
import { notify, notifyError } from "../ui/notify";
import { count } from "../ui/numbers";
import { describeRetry } from "./mail-issue-text";
import { MailingQuestion } from "./mailing-question";

type Props = {
  label: string;
  mails: number;
  variant?: "default" | "filled";
  /** Of more than one: what they failed for. */
  of?: { state: RetryableState; code: string | null };
  /** Given when the first mails may have arrived: who may then get two. It is asked before anything is sent. */
  recipient?: string;
  retry(): Promise<{ sent: number; closed: number }>;
};

/** Sends mails again. */
export function RetryButton({ label, mails, variant = "filled", of, recipient, retry }: Props) {
  const { newsletterId, sends } = useViewer();
  const [asking, setAsking] = useState(false);
  const retrying = useMutation({
    mutationFn: retry,
    onSuccess: (result) => {
      setAsking(false);
      if (result.sent + result.closed > 0) notify(describeRetry(result, sends));
    },
    onError: (error) => !asking && notifyError(error),
  });
  const sendMails = `Send ${count(mails)} again`;
  return (
    <>
      <Button
        variant={variant}
        loading={retrying.isPending && !asking}
        onClick={() => (recipient || of ? setAsking(true) : retrying.mutate())}
      >
        {label}
      </Button>
      {asking && of && (
        <MailingQuestion
          kind="retry"
          of={of}
          verb={(some) => `Send ${some} again`}
          listHref={`/n/${newsletterId}/mails?state=${of.state}`}
          busy={retrying.isPending}
          error={retrying.error}
          onConfirm={() => retrying.mutate()}
          onClose={() => setAsking(false)}
        >
          {recipient && <MayGetTwo recipient={recipient} />}
        </MailingQuestion>
      )}
      {asking && !of && recipient && (
        <Confirm
          title={`${sendMails}?`}
          action={sendMails}
          busy={retrying.isPending}
          error={retrying.error}
          onConfirm={() => retrying.mutate()}
          onClose={() => setAsking(false)}
        >
          <MayGetTwo recipient={recipient} />
        </Confirm>
      )}
    </>
  );
}

function MayGetTwo({ recipient }: { recipient: string }) {
  return (
    <>
      <p>The first email may have arrived, so {recipient} may receive two.</p>
      <p>
        Only people who are still pending receive an email with a new link. The link in the first email works,
        too.
      </p>
    </>
  );
}
