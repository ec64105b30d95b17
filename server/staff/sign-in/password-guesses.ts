import { AppError } from "../../kernel/errors";
import { lockoutSubject } from "../../platform/limits/caller-address";
import type { Limiter } from "../../platform/limits/limiter";
import { findStaffByEmail } from "../queries/staff";
import { findKnownDevice } from "./known-devices";
import { recordLockedSignIn } from "./staff-audit";
import { type NoticeContext, notifyOfFailures } from "./staff-notices";
import { countTryOf, forgetTriesOf, freePasswords } from "./staff-tries";

export type GuessContext = NoticeContext & {
  limiter: Pick<Limiter, "authenticationLock" | "failedAuthentication">;
};

type Guesser = {
  /** Address of the account that is tried, as typed; "" when none is named. */
  email: string;
  headers: Headers;
  address: string | null;
  /** With a session, only the account's failures count, not the caller address's failures. */
  signedIn: boolean;
};

/** A guess that is already counted. `tries` includes this guess. */
export type Guess = Guesser & {
  byAddress: boolean;
  about: string | null;
  tries: number;
  staffId: string | null;
};

/** The error for an address with too many wrong passwords. @param seconds the remaining lockout */
function addressLocked(seconds: number): AppError {
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const message = `Too many failed attempts from your address. Try again in ${when}.`;
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds: seconds });
}

const inWords = (seconds: number) => {
  const [number, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
};

/** The error for an account with too many wrong passwords. Unknown accounts get the same error. */
function accountDelayed(seconds: number): AppError {
  const message = `Too many failed sign-ins to this account. Wait ${inWords(seconds)}, then try again.`;
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds: seconds });
}

/**
 * Counts a guess, or rejects it after too many failures from the caller's address or on the account.
 * A browser that the account's owner has used before counts its own failures instead. So neither strangers nor
 * colleagues at the same address can lock the owner out. Unknown accounts wait the same way.
 * @throws AppError rate_limit_exceeded
 */
export async function beginGuess(context: GuessContext, guesser: Guesser): Promise<Guess> {
  const { headers, address, signedIn } = guesser;
  const email = guesser.email.trim().toLowerCase();
  const staff = email ? await findStaffByEmail(context.db, email) : null;
  const device = staff && findKnownDevice(context, headers, staff.id);
  const byAddress = !device && !signedIn;
  const locked = byAddress ? await context.limiter.authenticationLock(lockoutSubject(address), "signIn") : 0;
  if (locked > 0) throw addressLocked(locked);
  const about = device ?? (email || null);
  const tried = about ? await countTryOf(context, "password", about) : { tries: 0 };
  if ("waitSeconds" in tried) throw accountDelayed(tried.waitSeconds);
  return { ...guesser, byAddress, about, tries: tried.tries, staffId: staff?.id ?? null };
}

/** Records a wrong guess. @throws AppError rate_limit_exceeded when the address was locked out meanwhile */
export async function failGuess(context: GuessContext, guess: Guess): Promise<void> {
  const { email, address, headers, staffId, tries } = guess;
  if (staffId && tries >= freePasswords)
    await notifyOfFailures(context, { staffId, tries, headers, address });
  if (!guess.byAddress) return;
  const { lockedSeconds, begun, failures } = await context.limiter.failedAuthentication(
    lockoutSubject(address),
    "signIn",
  );
  if (begun) await recordLockedSignIn(context.db, { email, failures, address });
  if (lockedSeconds > 0) throw addressLocked(lockedSeconds);
}

/** Forgets earlier failures after a right guess. */
export async function endGuess(context: GuessContext, { about }: Guess): Promise<void> {
  if (about) await forgetTriesOf(context, "password", about);
}
