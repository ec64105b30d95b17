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

export const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
/** Receives the result of the dialog; null while no call asks. */
export const currentAnswer = () => answer;

/** Lets the page show the dialog while a call requires a recent sign-in. @returns receives the dialog's result */
export const useRecentSignIn = (): Answer | null =>
  useSyncExternalStore(subscribe, currentAnswer, () => null);

/** Asks the staff member to sign in again. Concurrent calls share one dialog. @returns whether they signed in */
export function requireRecentSignIn(): Promise<boolean> {
  // A page without the dialog doesn't listen.
  if (listeners.size === 0) return Promise.resolve(false);
  asking ??= new Promise<boolean>(ask)
    .then((signedIn) => {
      if (signedIn) signIns++;
      return signedIn;
    })
    .finally(() => {
      asking = null;
      ask(null);
    });
  return asking;
}

/** How often the staff member signed in again on this page. */
let signIns = 0;

/**
 * Watches for a new sign-in, which ends the session of calls that began before. @returns whether the staff member has
 * signed in again since, or does so in the open dialog
 */
export function watchSignIns(): () => Promise<boolean> {
  const before = signIns;
  return async () => signIns > before || (asking !== null && (await asking));
}
