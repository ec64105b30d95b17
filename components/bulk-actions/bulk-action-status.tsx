import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { isUnderWay } from "@/server/kernel/work-progress";
import type { LeavingMailing } from "../mail/open-mailings";
import { useViewer } from "../shell/viewer";
import { api, fetchAgain } from "../trpc";
import { onDemand } from "../ui/on-demand";
import { pollWhileUnderWay } from "../ui/progress";
import styles from "./bulk-actions.module.css";

const Notices = onDemand(() => import("./bulk-action-notices"), { texts: ["bulkActions", "mails"] });

const POLL_OPEN_MS = 1_000;
const POLL_IDLE_MS = 10_000;

/** Mailings that can still be cancelled. Mailings past their time limit are excluded. */
function useOpenMailings(): LeavingMailing[] {
  const { newsletterId } = useViewer();
  const { data = [], dataUpdatedAt } = api.mailings.open.useQuery(
    { newsletterId },
    { refetchInterval: ({ state }) => (state.data?.length ? POLL_OPEN_MS : POLL_IDLE_MS) },
  );
  const [now, setNow] = useState(0);
  const any = data.length > 0;
  useEffect(() => {
    if (!any) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [any]);
  return data
    .map((mailing) => ({ ...mailing, at: dataUpdatedAt + mailing.dueInMs }))
    .filter(({ at, mails }) => mails > 0 && at > now);
}

/** Shows cancellable emails, and running and finished bulk actions, on every page. Most of the time there are none. */
export function BulkActionStatus() {
  const t = useTranslations("shell.frame");
  const { newsletterId } = useViewer();
  const client = useQueryClient();
  const mailings = useOpenMailings();
  const [announcer, setAnnouncer] = useState<Element | null>(null);
  const { data = [] } = api.bulkActions.current.useQuery(
    { newsletterId },
    { refetchInterval: pollWhileUnderWay((actions) => actions, POLL_IDLE_MS) },
  );

  // While an action's emails can be cancelled, their notice replaces the action's.
  const actions = data.filter(({ id }) => !mailings.some((mailing) => mailing.id === id));
  const any = actions.length + mailings.length > 0;

  // The lists are refetched when a bulk action ends.
  const wereOpen = useRef<string[]>([]);
  const open = data.filter(({ state }) => isUnderWay(state)).map(({ id }) => id);
  useEffect(() => {
    const ended = wereOpen.current.some((id) => !open.includes(id));
    wereOpen.current = open;
    if (ended) void fetchAgain(client);
  });

  return (
    <section className={styles.actions} aria-label={t("inProgress")} data-any={any || undefined}>
      {/* Screen readers announce only what appears in an element that they know. */}
      <p className="sr" aria-live="polite" ref={setAnnouncer} />
      {any && announcer && <Notices actions={actions} mailings={mailings} announcer={announcer} />}
    </section>
  );
}
