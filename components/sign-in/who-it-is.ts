import { useSyncExternalStore } from "react";

type Answer = (signedIn: boolean) => void;

/** Receives whether the staff member signed in again; null while no call asks. */
let answer: Answer | null = null;
let asking: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function ask(next: Answer | null): void {
  answer = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Lets the page show the dialog while a call requires a recent sign-in. @returns receives the dialog's result */
export const useRecentSignIn = (): Answer | null =>
  useSyncExternalStore(
    subscribe,
    () => answer,
    () => null,
  );

/** Asks the staff member to sign in again. Concurrent calls share one dialog. @returns whether they signed in */
export function requireRecentSignIn(): Promise<boolean> {
  // A page without the dialog doesn't listen.
  if (listeners.size === 0) return Promise.resolve(false);
  asking ??= new Promise<boolean>(ask).finally(() => {
    asking = null;
    ask(null);
  });
  return asking;
}
