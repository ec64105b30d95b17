import type { Limiter } from "../../platform/limits/limiter";
import { findStaffByEmail } from "../queries/staff";
import { findKnownDevice } from "./known-devices";
import { accountDelayed, addressLocked, signInSubject } from "./sign-in-lock";
import { recordLockedSignIn } from "./staff-audit";
import { type NoticeContext, tellOfFailures } from "./staff-notices";
import { countTryOf, forgetTriesOf, freePasswords } from "./staff-tries";

export type GuessContext = NoticeContext & {
  limiter: Pick<Limiter, "authenticationLock" | "failedAuthentication">;
};

type Guesser = {
  /** Of the account that is tried, as it was typed; "" where none is named. */
  email: string;
  headers: Headers;
  address: string | null;
  /** Whoever has a session is judged by its account alone. */
  signedIn: boolean;
};

/** A guess that is counted already, and how often there were such before. */
export type Guess = Guesser & {
  byAddress: boolean;
  about: string | null;
  tries: number;
  staffId: string | null;
};

/**
 * Lets somebody guess, or has them wait: for too many failures from their address, and for too many on this account. A
 * browser in which the account's owner has signed in before is judged by its own failures instead, so that neither a
 * stranger nor a colleague at the same address can lock its owner out. An account that there is not waits alike.
 * @throws AppError rate_limit_exceeded
 */
export async function beginGuess(context: GuessContext, guesser: Guesser): Promise<Guess> {
  const { headers, address, signedIn } = guesser;
  const email = guesser.email.trim().toLowerCase();
  const staff = email ? await findStaffByEmail(context.db, email) : null;
  const device = staff && findKnownDevice(context, headers, staff.id);
  const byAddress = !device && !signedIn;
  const locked = byAddress ? await context.limiter.authenticationLock(signInSubject(address)) : 0;
  if (locked > 0) throw addressLocked(locked);
  const about = device ?? (email || null);
  const tried = about ? await countTryOf(context, "password", about) : { tries: 0 };
  if ("waitSeconds" in tried) throw accountDelayed(tried.waitSeconds);
  return { ...guesser, byAddress, about, tries: tried.tries, staffId: staff?.id ?? null };
}

/** Notes that it was wrong. @throws AppError rate_limit_exceeded when its address was locked out meanwhile */
export async function failGuess(context: GuessContext, guess: Guess): Promise<void> {
  const { email, address, headers, staffId, tries } = guess;
  if (staffId && tries >= freePasswords) await tellOfFailures(context, { staffId, tries, headers, address });
  if (!guess.byAddress) return;
  const { lockedSeconds, begun, failures } = await context.limiter.failedAuthentication(
    signInSubject(address),
  );
  if (begun) await recordLockedSignIn(context.db, { email, failures, address });
  if (lockedSeconds > 0) throw addressLocked(lockedSeconds);
}

/** Forgets the failures before it. */
export async function endGuess(context: GuessContext, { about }: Guess): Promise<void> {
  if (about) await forgetTriesOf(context, "password", about);
}
