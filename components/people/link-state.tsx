import { mailStates } from "@/server/contract/mail-states";
import type { Outputs } from "../trpc";
import { Time } from "../ui/time";

type Asked = NonNullable<Outputs["people"]["get"]["asked"]>;

/** What became of the newest confirmation's link, of a person who has not confirmed. */
export function LinkState({ asked: { state, createdAt, linkExpiresAt } }: { asked: Asked }) {
  const out = state === "sent" || state === "logged" || state === "uncertain";
  return (
    <>
      asked <Time at={createdAt} />,{" "}
      {out ? (
        <>
          link {linkExpiresAt.getTime() < Date.now() ? "expired" : "expires"} <Time at={linkExpiresAt} />, not
          used
        </>
      ) : (
        mailStates[state as keyof typeof mailStates].word.toLowerCase()
      )}
    </>
  );
}
