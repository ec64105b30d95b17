import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { confirmationPauseSeconds } from "@/server/kernel/durations";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";

type Person = Outputs["people"]["get"]["person"];

/**
 * Sends one person another confirmation email, at most once a minute. `wait` gives the reason for waiting.
 * @param readAt when the person was fetched
 */
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

/** The reason why no confirmation email can be sent now; null when it can. */
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

/** Updates a number of seconds from the time of its fetch, by this browser's clock. */
function useSecondsSince(seconds: number | null, readAt: number): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (seconds === null) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return seconds === null ? null : seconds + Math.max(0, Math.floor((now - readAt) / 1000));
}
