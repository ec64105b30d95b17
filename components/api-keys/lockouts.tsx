"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Banner } from "../ui/states";
import { useDurationText } from "../ui/time";

const POLL_MS = 5_000;
type Lock = Outputs["requests"]["lockouts"][number];

/** The values for the sentence about a lock. */
function useValues({ key, limit, windowSeconds, secondsLeft }: Lock) {
  const durationText = useDurationText();
  return {
    b: bold,
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
  if (!data || data.length === 0) return null;
  return (
    <ul aria-label={t("label")}>
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
  const values = useValues(lock);
  const { name } = values;
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
  return <Banner action={actions}>{t.rich("key", values)}</Banner>;
}

function AddressLock({ lock }: { lock: Lock }) {
  const t = useTranslations("api.lockouts");
  return <Banner>{t.rich("address", { ...useValues(lock), address: lock.address ?? "" })}</Banner>;
}
