"use client";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify, notifyError } from "../ui/notify";
import styles from "./mails.module.css";
import { type Trouble, wordTrouble } from "./trouble-words";

type Props = { onShow(state: Trouble["state"]): void };
type Result = Outputs["mails"]["retryReason"];

/** What waits for somebody to do something; the rest fixes itself. */
const isLoud = ({ state }: Trouble) => state === "failed" || state === "uncertain" || state === "bounced";

/** What keeps mails from arriving, each reason once, with what to do about it. Nothing when all is well. */
export function TroubleList({ onShow }: Props) {
  const { newsletterId } = useViewer();
  const trouble = api.mails.trouble.useQuery({ newsletterId });
  if (!trouble.data || trouble.data.length === 0) return null;
  return (
    <ul className={styles.trouble} aria-label="What needs attention">
      {[...trouble.data]
        .sort((a, b) => Number(isLoud(b)) - Number(isLoud(a)))
        .map((one) => (
          <TroubleRow key={`${one.state} ${one.code}`} trouble={one} onShow={() => onShow(one.state)} />
        ))}
    </ul>
  );
}

function TroubleRow({ trouble, onShow }: { trouble: Trouble; onShow(): void }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const retry = api.mails.retryReason.useMutation();
  const { what, advice } = wordTrouble(trouble);
  const { state, code, mails } = trouble;

  async function sendAgain() {
    if (state !== "failed" && state !== "uncertain") return;
    setBusy(true);
    const sum = { sent: 0, closed: 0 };
    try {
      for (let more = true; more; ) {
        const result: Result = await retry.mutateAsync({ newsletterId, state, code });
        sum.sent += result.sent;
        sum.closed += result.closed;
        // Whoever else sends them again has them in hand.
        more = result.more && result.sent + result.closed > 0;
      }
      setAsking(false);
    } catch (error) {
      if (!asking) notifyError(error);
    }
    setBusy(false);
    if (sum.sent + sum.closed > 0) notify(wordResult(sum));
    void utils.mails.invalidate();
    void utils.newsletters.invalidate();
  }

  const again = `Send ${mails.toLocaleString("en")} again`;
  return (
    <li data-loud={isLoud(trouble) || undefined}>
      <div>
        <b>{what}</b>
        <p>{advice}</p>
      </div>
      <span className={styles.troubleTools}>
        <Button variant="subtle" color="gray" onClick={onShow}>
          Show
        </Button>
        {mayEdit && (state === "failed" || state === "uncertain") && (
          <Button
            variant="default"
            loading={busy && !asking}
            onClick={() => (state === "uncertain" ? setAsking(true) : sendAgain())}
          >
            {again}
          </Button>
        )}
      </span>
      {asking && (
        <Confirm
          title={`${again}?`}
          action={again}
          busy={busy}
          error={retry.error}
          onConfirm={sendAgain}
          onClose={() => setAsking(false)}
        >
          <p>Nobody knows whether the first mails arrived: some people may get two.</p>
          <p>
            Only who is still pending is mailed, with a new link. The links of the first mails work as well.
          </p>
        </Confirm>
      )}
    </li>
  );
}

/** What sending again has done. */
export function wordResult({ sent, closed }: { sent: number; closed: number }): string {
  const went = sent === 1 ? "1 mail goes out again." : `${sent.toLocaleString("en")} mails go out again.`;
  const left =
    closed === 1
      ? "1 was closed: its person is not to be asked any more."
      : `${closed.toLocaleString("en")} were closed: their people are not to be asked any more.`;
  if (closed === 0) return went;
  return sent === 0 ? left : `${went} ${left}`;
}
