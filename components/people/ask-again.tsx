import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { confirmationPauseSeconds } from "@/server/contract/spans";
import { askedFor } from "../mails/mail-words";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { counted } from "../ui/numbers";

type Person = Outputs["people"]["get"]["person"];

/** Asks one person again; not within a minute, and it tells how long ago they were asked. */
export function AskAgain({ person: { id, email, asking }, readAt }: { person: Person; readAt: number }) {
  const { newsletterId, sends } = useViewer();
  const ask = api.people.askAgain.useMutation({
    onSuccess: () => notify(askedFor(`A confirmation to ${email}`, sends)),
    onError: notifyError,
  });
  const asked = useSecondsSince(asking?.askedSecondsAgo ?? null, readAt);
  const reason = asking?.reason ?? null;
  const coolingDown = asked !== null && asked < confirmationPauseSeconds;
  if (reason === "asked_lately" && coolingDown)
    return <Button disabled>{asked < 1 ? "Asked just now" : `Asked ${counted(asked, "second")} ago`}</Button>;
  if (reason === "on_its_way") return <Button disabled>A confirmation is waiting</Button>;
  if (reason === "asked_often") return <Button disabled>Asked three times today</Button>;
  return (
    <Button loading={ask.isPending} onClick={() => ask.mutate({ newsletterId, id })}>
      Send confirmation again
    </Button>
  );
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
