import type { Query, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { type Outage, outageOf } from "./error-of";

/** Retries before a query fails: after 1, 2 and 4 s. */
const RETRIES = 3;
/** Pause before failed queries run again. */
const AGAIN_MS = 5_000;

let outage: Outage = null;
const listeners = new Set<() => void>();

function set(next: Outage): void {
  if (next === outage) return;
  outage = next;
  for (const listener of listeners) listener();
}

/** For react-query: retries during an outage only. An error from the server would repeat. */
export const retryQuery = (failures: number, error: unknown) =>
  failures < RETRIES && outageOf(error) !== null;

const isFailing = ({ state }: Query) => {
  const error = state.error ?? state.fetchFailureReason;
  return error !== null && outageOf(error) !== null;
};

/**
 * Detects queries that fail because of an outage, and retries all of them until it ends. The page shows one notice
 * instead of one for each query. @returns stops watching
 */
export function watchOutages(client: QueryClient): () => void {
  const cache = client.getQueryCache();
  const failing = () => cache.findAll({ type: "active", predicate: isFailing });
  /** Time of each query's last request, and of the latest answer to any query. */
  const askedAt = new WeakMap<Query, number>();
  let answeredAt = 0;
  const end = cache.subscribe((event) => {
    if (event.type !== "updated") return;
    const { action, query } = event;
    const now = performance.now();
    if (action.type === "fetch") askedAt.set(query, now);
    if (action.type === "failed" || action.type === "error") {
      // If other queries get answers, the query itself fails, and its own place shows the error.
      const isAlone = answeredAt > (askedAt.get(query) ?? 0);
      if (action.type === "failed") askedAt.set(query, now);
      if (!isAlone && outageOf(action.error) !== null) set(outageOf(action.error));
    } else if (action.type === "success" && !action.manual) {
      answeredAt = now;
      if (outage === null) return;
      set(null);
      void client.refetchQueries({ type: "active", predicate: isFailing });
    }
  });
  const timer = setInterval(() => {
    if (outage === null) return;
    // Queries that no page uses any more don't count as an outage.
    if (failing().length === 0) set(null);
    else void client.refetchQueries({ type: "active", predicate: isFailing });
  }, AGAIN_MS);
  return () => {
    end();
    clearInterval(timer);
    set(null);
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const outageNow = (): Outage => outage;

/** The current outage, for a component. */
export const useOutage = (): Outage => useSyncExternalStore(subscribe, outageNow, () => null);
