import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { MailingKind } from "@/server/contract/mailings";
import { skippedReasonsOf } from "../bulk-actions/summary";
import { useViewer } from "../shell/viewer";
import { api, type Inputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { noKey } from "./mail-words";
import { delayText, mailsOf, recipientsText } from "./mailing-words";

type Props = {
  kind: MailingKind;
  /** Who or what is meant. */
  of: Inputs["mailings"]["preview"]["of"];
  /** Whose people they are, for the question: " to people of the segment VIPs". */
  to?: string;
  /** Of the button, given the mails in words: "201 confirmations". */
  verb?(mails: string): string;
  /** The page that lists who is meant, where there is one. */
  listHref?: string;
  /** More people who get none, and why. */
  others?: string[];
  /** What else to know before it. */
  children?: ReactNode;
  busy: boolean;
  error?: unknown;
  /** Given the number of mails that the question named. */
  onConfirm(mails: number): void;
  onClose(): void;
};

/** Asks before mails to more than one person: how many, to which people, who gets none and why, and when they leave. */
export function MailingQuestion({ kind, of, listHref, others = [], children, busy, error, ...rest }: Props) {
  const { newsletterId, sends } = useViewer();
  const { to = "", verb = (mails) => `Send ${mails}`, onConfirm, onClose } = rest;
  const { client } = api.useUtils();
  const preview = useQuery({
    queryKey: ["mailing preview", newsletterId, of],
    queryFn: () => client.mailings.preview.mutate({ newsletterId, of }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { mails = 0, atMost = false, skipped = {}, delaySeconds = 0 } = preview.data ?? {};
  const many = `${atMost ? "up to " : ""}${mailsOf(kind, mails)}`;
  const nobody = preview.data !== undefined && mails === 0;
  const action = nobody ? "Send nothing" : verb(many);
  const reasons = [...others, ...skippedReasonsOf(skipped)];
  return (
    <Confirm
      title={preview.data ? (nobody ? "No emails to send" : `${action}${to}?`) : "Counting …"}
      action={preview.data ? action : "Counting …"}
      busy={busy || preview.isPending}
      disabled={nobody || preview.isError}
      error={error ?? preview.error}
      onConfirm={() => onConfirm(mails)}
      onClose={onClose}
    >
      {preview.data && mails > 0 && (
        <p>
          To {recipientsText(preview.data)}.{" "}
          {listHref && (
            <Anchor href={listHref} target="_blank" fz="inherit">
              See the list
            </Anchor>
          )}
        </p>
      )}
      {preview.data && reasons.length > 0 && (
        <div>
          <p>{mails > 0 ? "Not sent to others:" : "Not sent to any of them:"}</p>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      {atMost && <p>People who received a confirmation recently are skipped during sending.</p>}
      {children}
      {mails > 0 && <p>{leavesText({ sends, delaySeconds })}</p>}
    </Confirm>
  );
}

/** When they leave, and until when they can be cancelled. */
function leavesText({ sends, delaySeconds }: { sends: boolean; delaySeconds: number }): string {
  if (!sends) return `They are stored but not sent: ${noKey}.`;
  if (delaySeconds === 0) return "They are sent immediately: this newsletter has no undo window.";
  return `They are sent after ${delayText(delaySeconds)}. Until then you can cancel all of them, here or on another device.`;
}
