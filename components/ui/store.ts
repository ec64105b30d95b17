import { useSyncExternalStore } from "react";

/** A value outside of React. Components read it with `useStored`. */
export function makeStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    getInitial: () => initial,
    set(next: Value): void {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Whether a component reads the value. */
    isUsed: () => listeners.size > 0,
  };
}

/** A fact about the browser, which the server can only guess. */
export const useInBrowser = <Value>(read: () => Value, guess: Value): Value =>
  useSyncExternalStore(
    () => () => {},
    read,
    () => guess,
  );

/** A store's value. A change renders the component again. */
export const useStored = <Value>(store: ReturnType<typeof makeStore<Value>>): Value =>
  useSyncExternalStore(store.subscribe, store.get, store.getInitial);
