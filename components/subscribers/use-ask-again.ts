import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { confirmationPauseSeconds } from "@/server/kernel/spans";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";

type Person = Outputs["people"]["get"]["person"];

/** Asks one person again; not within a minute, and `wait` tells why not now. @param readAt when the person was read */
export function useAskAgain({ id, email, asking }: Person, readAt: number) {
  const t = useTranslations("people.askAgain");
  const { newsletterId, sends } = useViewer();
  const ask = api.people.askAgain.useMutation({
    onSuccess: () => notify(sends ? t("queued", { email }) : t("stored", { email })),
    onError: notifyError,
  });
  const asked = useSecondsSince(asking?.askedSecondsAgo ?? null, readAt);
  return {
    wait: waitingFor(asking?.reason ?? null, asked, t),
    busy: ask.isPending,
    ask: () => ask.mutate({ newsletterId, id }),
  };
}

/** Why a person can't be asked again now; null: they can. */
function waitingFor(
  reason: NonNullable<Person["asking"]>["reason"] | null,
  seconds: number | null,
  t: Texts<"people.askAgain">,
) {
  if (reason === "on_its_way") return t("onItsWay");
  if (reason === "asked_often") return t("often");
  if (reason !== "asked_lately" || seconds === null || seconds >= confirmationPauseSeconds) return null;
  return seconds < 1 ? t("justNow") : t("secondsAgo", { n: seconds });
}

/** Seconds that were so many when they were read, going on by this browser's clock. */
function useSecondsSince(seconds: number | null, readAt: number): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (seconds === null) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return seconds === null ? null : seconds + Math.max(0, Math.floor((now - readAt) / 1000));
}
