import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import type { StatusRule } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
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

/**
 * Opens the list session of this page in the returned element.
 * @param from the id of an import with rejected lines for the editor
 * @param onTaken called once the rejected lines are in the editor
 */
export function useList(from: string | null, onTaken: () => void) {
  const t = useTranslations("imports.editor");
  const { newsletterId } = useViewer();
  const parent = useRef<HTMLDivElement>(null);
  const [session] = useState(() => new ListSession(t));
  const state = useSyncExternalStore(session.subscribe, session.state, session.state);

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor and one worker for as long as the page stands
  useEffect(() => {
    if (!parent.current) return;
    void session.open(parent.current, newsletterId, from, onTaken);
    return () => session.close();
  }, []);

  const { plan, reading } = state;
  const statusRule = statusRuleOf(state);
  const stale = plan !== null && (plan.revision !== reading?.revision || plan.statusRule !== statusRule);
  const list: List = { ...state, session, statusRule, stale };
  return { parent, list };
}
