import { makeStore, useStored } from "../ui/store";

type Answer = (signedIn: boolean) => void;

/** Receives whether the staff member signed in again; null while no call asks. */
const answer = makeStore<Answer | null>(null);
let asking: Promise<boolean> | null = null;

export const { get: currentAnswer, subscribe } = answer;

/** Lets the page show the dialog while a call requires a recent sign-in. @returns receives the dialog's result */
export const useRecentSignIn = (): Answer | null => useStored(answer);

/** Asks the staff member to sign in again. Concurrent calls share one dialog. @returns whether they signed in */
export function requireRecentSignIn(): Promise<boolean> {
  // A page without the dialog doesn't listen.
  if (!answer.isUsed()) return Promise.resolve(false);
  asking ??= new Promise<boolean>(answer.set)
    .then((signedIn) => {
      if (signedIn) signIns++;
      return signedIn;
    })
    .finally(() => {
      asking = null;
      answer.set(null);
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
