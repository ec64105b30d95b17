"use client";
import { useEffect, useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { span } from "../ui/numbers";
import { Time } from "../ui/time";
import styles from "./lockouts.module.css";

const ASKED_EVERY_MS = 5_000;
type Lock = Outputs["requests"]["lockouts"]["locks"][number];

/** Keys, and addresses of their callers, that are rejected for a while because of what they sent. Nothing when there are none. */
export function Lockouts({ newsletterId, onShow }: { newsletterId: string; onShow(keyId: string): void }) {
  const found = api.requests.lockouts.useQuery({ newsletterId }, { refetchInterval: ASKED_EVERY_MS });
  const { data, dataUpdatedAt } = found;
  const now = useSeconds((data?.locks.length ?? 0) > 0);
  const left = (lock: Lock) => Math.ceil(lock.secondsLeft - (now - dataUpdatedAt) / 1000);
  const locks = data?.locks.filter((lock) => left(lock) > 0) ?? [];
  if (!data || (locks.length === 0 && data.awaySince === null)) return null;
  return (
    <ul className={styles.locks} aria-label="Lockouts">
      {data.awaySince && (
        <li>
          <b>Which keys are locked out is not known.</b> The store that counts for all processes has been away
          since <Time at={data.awaySince} />; until it answers, each process counts by itself.
        </li>
      )}
      {locks.map((lock) => (
        <li key={`${lock.kind} ${lock.key?.id ?? lock.address}`}>
          {lock.kind === "errors" ? (
            <KeyLock lock={lock} left={left(lock)} onShow={onShow} />
          ) : (
            <AddressLock lock={lock} left={left(lock)} />
          )}
        </li>
      ))}
    </ul>
  );
}

function KeyLock({ lock, left, onShow }: { lock: Lock; left: number; onShow(keyId: string): void }) {
  const { key, limit, windowSeconds, mostly } = lock;
  const { newsletterId, isOwner } = useViewer();
  const utils = api.useUtils();
  const lift = api.requests.lift.useMutation({
    onSuccess: ({ everywhere }) => {
      notify(
        everywhere
          ? `${key?.name} may write again; other processes follow within 10 seconds.`
          : `${key?.name} may write again here. The store that all processes share is away, so others may still reject it.`,
      );
      void utils.requests.lockouts.invalidate();
    },
    onError: notifyError,
  });
  return (
    <>
      <b>{key?.name} may not write</b> for another {span(left)}: {limit} of its requests were rejected within{" "}
      {span(windowSeconds ?? 0)}
      {mostly && (
        <>
          , most with <code>{`${mostly.status} ${mostly.code ?? ""}`.trim()}</code>
          {mostly.rejected && ` (${mostly.rejected})`}
        </>
      )}
      . Reading goes on.{" "}
      {key && (
        <span className={styles.tools}>
          <button type="button" onClick={() => onShow(key.id)}>
            Show what was rejected
          </button>
          {isOwner && (
            <button
              type="button"
              disabled={lift.isPending}
              onClick={() => lift.mutate({ newsletterId, keyId: key.id })}
            >
              Lift it now
            </button>
          )}
        </span>
      )}
    </>
  );
}

function AddressLock({ lock, left }: { lock: Lock; left: number }) {
  const { address, key, limit, windowSeconds } = lock;
  return (
    <>
      <b>Wrong keys from {address}</b>, where {key?.name} was last used from: {limit} within{" "}
      {span(windowSeconds ?? 0)}. For another {span(left)} they are answered 429; calls with a right key go
      on.
    </>
  );
}

/** The time, each second while it is looked at. */
function useSeconds(on: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!on) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [on]);
  return now;
}
