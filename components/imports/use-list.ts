import { useQueryState } from "nuqs";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import type { StatusRule } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import { parseAsId } from "../ui/parse-as-id";
import { ListSession } from "./list-session";
import { type ListState, statusRuleOf } from "./list-state";
import type { Reading } from "./reading/list-reading";

export type List = ListState & {
  session: ListSession;
  /** The effective status rule. */
  statusRule: StatusRule;
  /** The list or a choice has changed since the check. */
  stale: boolean;
};

/** A list with a reading to show. */
export type ReadList = List & { reading: Reading };

/** Opens the list session of this page in the returned element. `?from=` names an import with rejected lines to fix. */
export function useList() {
  const t = useTranslations("imports.editor");
  const { newsletterId } = useViewer();
  const [from, setFrom] = useQueryState("from", parseAsId);
  const parent = useRef<HTMLDivElement>(null);
  const [session] = useState(() => new ListSession(t));
  const state = useSyncExternalStore(session.subscribe, session.state, session.state);

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor and one worker for as long as the page stands
  useEffect(() => {
    if (!parent.current) return;
    // With the rejected lines in the editor and its draft, a reload must not add them again.
    void session.open(parent.current, newsletterId, from, () => setFrom(null));
    return () => session.close();
  }, []);

  const { plan, reading } = state;
  const statusRule = statusRuleOf(state);
  const stale = plan !== null && (plan.revision !== reading?.revision || plan.statusRule !== statusRule);
  const list: List = { ...state, session, statusRule, stale };
  return { parent, list };
}
