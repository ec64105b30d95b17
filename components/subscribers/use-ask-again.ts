import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";

type Person = Outputs["people"]["get"]["person"];

/** Sends one person another confirmation email, at most once a minute. `wait` gives the reason for waiting. */
export function useAskAgain({ id, email, asking }: Person) {
  const t = useTranslations("people.askAgain");
  const { newsletterId, sends } = useViewer();
  const ask = api.people.askAgain.useMutation({
    onSuccess: () => notify(sends ? t("queued", { email }) : t("stored", { email })),
    onError: notifyError,
  });
  return {
    wait: waitingFor(asking, t),
    busy: ask.isPending,
    ask: () => ask.mutate({ newsletterId, id }),
  };
}

/** The reason why no confirmation email can be sent now; null when it can. */
function waitingFor(reason: Person["asking"], t: Texts<"people.askAgain">) {
  if (reason === "on_its_way") return t("onItsWay");
  if (reason === "asked_often") return t("often");
  return reason === "asked_lately" ? t("justNow") : null;
}
