import { useTranslations } from "use-intl";
import type { Outputs } from "../trpc";
import { Time } from "../ui/time";

type Asked = NonNullable<Outputs["people"]["get"]["asked"]>;

const unsentStates = ["waiting", "deferred", "sending", "failed", "cancelled"] as const;

/** Shows the state of the link in a pending person's newest confirmation email. */
export function LinkState({ asked: { state, createdAt, linkExpiresAt } }: { asked: Asked }) {
  const t = useTranslations("people.link");
  const times = { asked: () => <Time at={createdAt} />, expires: () => <Time at={linkExpiresAt} /> };
  const unsent = unsentStates.find((known) => known === state);
  if (unsent) return t.rich(`unsent.${unsent}`, times);
  return linkExpiresAt.getTime() < Date.now() ? t.rich("expired", times) : t.rich("open", times);
}
