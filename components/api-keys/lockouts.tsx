"use client";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Banner } from "../ui/states";
import { Time, useDurationText } from "../ui/time";

const POLL_MS = 5_000;
type Lock = Outputs["requests"]["lockouts"]["locks"][number];

const tags = {
  b: bold,
  code: (chunks: ReactNode) => <code>{chunks}</code>,
};

/** The values for the sentence about a lock. */
function useValues({ key, limit, windowSeconds, secondsLeft }: Lock) {
  const durationText = useDurationText();
  return {
    ...tags,
    name: key?.name ?? "",
    limit: limit ?? 0,
    window: durationText(windowSeconds ?? 0),
    left: durationText(secondsLeft),
  };
}

/** Keys and IP addresses that are temporarily rejected because of their requests. Hidden without any. */
export function Lockouts({ onShow }: { onShow(keyId: string): void }) {
  const t = useTranslations("api.lockouts");
  const { newsletterId } = useViewer();
  const { data } = api.requests.lockouts.useQuery({ newsletterId }, { refetchInterval: POLL_MS });
  const awaySince = data?.awaySince;
  if (!data || (data.locks.length === 0 && data.awaySince === null)) return null;
  return (
    <ul aria-label={t("label")}>
      {awaySince && (
        <li>
          <Banner>{t.rich("unknown", { ...tags, time: () => <Time at={awaySince} /> })}</Banner>
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
  const t = useTranslations("api.lockouts");
  const { key } = lock;
  const name = key?.name ?? "";
  const { newsletterId, mayManage } = useViewer();
  const lift = api.requests.lift.useMutation({
    onSuccess: ({ everywhere }) => notify(everywhere ? t("unlocked", { name }) : t("unlockedHere", { name })),
    onError: notifyError,
  });
  const actions = key && (
    <>
      <Button variant="default" onClick={() => onShow(key.id)}>
        {t("show")}
      </Button>
      {mayManage && (
        <Button loading={lift.isPending} onClick={() => lift.mutate({ newsletterId, keyId: key.id })}>
          {t("unlock")}
        </Button>
      )}
    </>
  );
  return (
    <Banner action={actions}>
      <KeyLockText lock={lock} />
    </Banner>
  );
}

function KeyLockText({ lock }: { lock: Lock }) {
  const t = useTranslations("api.lockouts");
  const { mostly } = lock;
  const values = useValues(lock);
  if (!mostly) return t.rich("key", values);
  const answer = `${mostly.status} ${mostly.code ?? ""}`.trim();
  return mostly.rejected
    ? t.rich("keyMostlyFor", { ...values, answer, rejected: mostly.rejected })
    : t.rich("keyMostly", { ...values, answer });
}

function AddressLock({ lock }: { lock: Lock }) {
  const t = useTranslations("api.lockouts");
  return <Banner>{t.rich("address", { ...useValues(lock), address: lock.address ?? "" })}</Banner>;
}
