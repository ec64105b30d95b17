import type { Query, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { rejectionOf } from "./error-of";

/** Asked again so often before it counts as failed, after 1, 2 and 4 s. */
const RETRIES = 3;
/** How long until what failed is asked once more. */
const AGAIN_MS = 5_000;

/** What is away: everything, or the database behind Rollcall; null: nothing. */
type Outage = "rollcall" | "database" | null;

let outage: Outage = null;
const listeners = new Set<() => void>();

function set(next: Outage): void {
  if (next === outage) return;
  outage = next;
  for (const listener of listeners) listener();
}

const causes: Record<string, Outage> = { "": "rollcall", service_unavailable: "database" };

/** What a query that failed like this waits for; null: another try would fail in the same way. */
export const outageOf = (error: unknown): Outage => causes[rejectionOf(error).code ?? ""] ?? null;

/** For react-query: an error that the server answered with would come again, an outage passes. */
export const retryQuery = (failures: number, error: unknown) =>
  failures < RETRIES && outageOf(error) !== null;

const isFailing = ({ state }: Query) => {
  const error = state.error ?? state.fetchFailureReason;
  return error !== null && outageOf(error) !== null;
};

/**
 * Notices when queries fail because something is away, and has all of them asked again until it is back: one notice for the page
 * instead of one for each. @returns ends it
 */
export function watchOutages(client: QueryClient): () => void {
  const cache = client.getQueryCache();
  const failing = () => cache.findAll({ type: "active", predicate: isFailing });
  /** When each query was asked last, and when any was answered. */
  const askedAt = new WeakMap<Query, number>();
  let answeredAt = 0;
  const end = cache.subscribe((event) => {
    if (event.type !== "updated") return;
    const { action, query } = event;
    const now = performance.now();
    if (action.type === "fetch") askedAt.set(query, now);
    if (action.type === "failed" || action.type === "error") {
      // While others are answered it is this query's own failure, which stands in its own place.
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
    // Whoever went elsewhere meanwhile is not told of what no page asks for.
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

/** What is away at the moment. */
export const outageNow = (): Outage => outage;

/** The same, for a component. */
export const useOutage = (): Outage => useSyncExternalStore(subscribe, outageNow, () => null);
