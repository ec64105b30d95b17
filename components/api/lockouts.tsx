"use client";
import { Button } from "@mantine/core";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { span } from "../ui/numbers";
import { Banner } from "../ui/states";
import { Time } from "../ui/time";
import styles from "./api.module.css";

const POLL_MS = 5_000;
type Lock = Outputs["requests"]["lockouts"]["locks"][number];

/** Keys, and addresses of their callers, that are rejected for a while because of what they sent. Nothing when there are none. */
export function Lockouts({ onShow }: { onShow(keyId: string): void }) {
  const { newsletterId } = useViewer();
  const { data } = api.requests.lockouts.useQuery({ newsletterId }, { refetchInterval: POLL_MS });
  if (!data || (data.locks.length === 0 && data.awaySince === null)) return null;
  return (
    <ul className={styles.locks} aria-label="Lockouts">
      {data.awaySince && (
        <li>
          <Banner>
            <b>Locked keys can’t be shown.</b> The shared counter store (Redis) has been unavailable since{" "}
            <Time at={data.awaySince} />. Until it is back, each process counts on its own.
          </Banner>
        </li>
      )}
      {data.locks.map((lock) => (
        <li key={`${lock.kind} ${lock.key?.id ?? lock.address}`}>
          {lock.kind === "errors" ? <KeyLock lock={lock} onShow={onShow} /> : <AddressLock lock={lock} />}
        </li>
      ))}
    </ul>
  );
}

function KeyLock({ lock, onShow }: { lock: Lock; onShow(keyId: string): void }) {
  const { key, limit, windowSeconds, secondsLeft, mostly } = lock;
  const { newsletterId, mayManage } = useViewer();
  const lift = api.requests.lift.useMutation({
    onSuccess: ({ everywhere }) =>
      notify(
        everywhere
          ? `${key?.name} can write again. Other processes follow within 10 seconds.`
          : `${key?.name} can write again on this process. Redis is unavailable, so other processes may still reject it.`,
      ),
    onError: notifyError,
  });
  const actions = key && (
    <>
      <Button variant="default" onClick={() => onShow(key.id)}>
        Show rejected requests
      </Button>
      {mayManage && (
        <Button loading={lift.isPending} onClick={() => lift.mutate({ newsletterId, keyId: key.id })}>
          Unlock now
        </Button>
      )}
    </>
  );
  return (
    <Banner action={actions}>
      <b>{key?.name} may not write</b> for another {span(secondsLeft)}: {limit} of its requests were rejected
      within {span(windowSeconds ?? 0)}
      {mostly && (
        <>
          , most with <code>{`${mostly.status} ${mostly.code ?? ""}`.trim()}</code>
          {mostly.rejected && ` (${mostly.rejected})`}
        </>
      )}
      . Reads still work.
    </Banner>
  );
}

function AddressLock({ lock: { address, key, limit, windowSeconds, secondsLeft } }: { lock: Lock }) {
  return (
    <Banner>
      <b>Wrong keys from {address}</b>, where {key?.name} was last used from: {limit} within{" "}
      {span(windowSeconds ?? 0)}. For another {span(secondsLeft)} they receive 429. Requests with a valid key
      still work.
    </Banner>
  );
}
