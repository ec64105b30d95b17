"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import type { Texts } from "../texts/texts";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Banner } from "../ui/states";
import styles from "./api.module.css";

const POLL_MS = 5_000;
type Lock = Outputs["requests"]["lockouts"][number];

/** Formats a duration in its largest fitting unit: "4 min", "3 hours". */
function spanText(t: Texts<"api.lockouts">, seconds: number): string {
  if (seconds < 90) return t("span.seconds", { n: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return t("span.minutes", { n: Math.round(seconds / 60) });
  if (seconds < 129_600) return t("span.hours", { n: Math.round(seconds / 3600) });
  return t("span.days", { n: Math.round(seconds / 86_400) });
}

/** The values for the sentence about a lock. */
const valuesOf = (t: Texts<"api.lockouts">, { key, limit, windowSeconds, secondsLeft }: Lock) => ({
  b: bold,
  name: key?.name ?? "",
  limit: limit ?? 0,
  window: spanText(t, windowSeconds ?? 0),
  left: spanText(t, secondsLeft),
});

/** Keys and IP addresses that are temporarily rejected because of their requests. Hidden without any. */
export function Lockouts({ onShow }: { onShow(keyId: string): void }) {
  const t = useTranslations("api.lockouts");
  const { newsletterId } = useViewer();
  const { data } = api.requests.lockouts.useQuery({ newsletterId }, { refetchInterval: POLL_MS });
  if (!data || data.length === 0) return null;
  return (
    <ul className={styles.locks} aria-label={t("label")}>
      {data.map((lock) => (
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
    onSuccess: () => notify(t("unlocked", { name })),
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
  return <Banner action={actions}>{t.rich("key", valuesOf(t, lock))}</Banner>;
}

function AddressLock({ lock }: { lock: Lock }) {
  const t = useTranslations("api.lockouts");
  return <Banner>{t.rich("address", { ...valuesOf(t, lock), address: lock.address ?? "" })}</Banner>;
}
