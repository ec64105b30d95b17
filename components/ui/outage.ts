import type { Query, QueryClient } from "@tanstack/react-query";
import { type Outage, outageOf } from "./error-of";
import { makeStore, useStored } from "./store";

/** Retries before a query fails: after 1, 2 and 4 s. */
const RETRIES = 3;
/** Pause before failed queries run again. */
const AGAIN_MS = 5_000;

const outage = makeStore<Outage>(null);

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
      if (!isAlone && outageOf(action.error) !== null) outage.set(outageOf(action.error));
    } else if (action.type === "success" && !action.manual) {
      answeredAt = now;
      if (outage.get() === null) return;
      outage.set(null);
      void client.refetchQueries({ type: "active", predicate: isFailing });
    }
  });
  const timer = setInterval(() => {
    if (outage.get() === null) return;
    // Queries that no page uses any more don't count as an outage.
    if (failing().length === 0) outage.set(null);
    else void client.refetchQueries({ type: "active", predicate: isFailing });
  }, AGAIN_MS);
  return () => {
    end();
    clearInterval(timer);
    outage.set(null);
  };
}

export const outageNow = outage.get;

/** The current outage, for a component. */
export const useOutage = (): Outage => useStored(outage);
