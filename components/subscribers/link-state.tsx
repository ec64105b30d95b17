import { useTranslations } from "use-intl";
import type { Outputs } from "../trpc";
import { Time } from "../ui/time";

type Asked = NonNullable<Outputs["people"]["get"]["asked"]>;

const unsentStates = ["waiting", "deferred", "sending", "failed", "cancelled"] as const;

/** What became of the newest confirmation's link, of a person who has not confirmed. */
export function LinkState({ asked: { state, createdAt, linkExpiresAt } }: { asked: Asked }) {
  const t = useTranslations("people.link");
  const times = { asked: () => <Time at={createdAt} />, expires: () => <Time at={linkExpiresAt} /> };
  const unsent = unsentStates.find((known) => known === state);
  if (unsent) return t.rich(`unsent.${unsent}`, times);
  return linkExpiresAt.getTime() < Date.now() ? t.rich("expired", times) : t.rich("open", times);
}
