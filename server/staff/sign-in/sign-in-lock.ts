import { AppError } from "../../kernel/errors";
import { lockoutSubject } from "../../platform/limits/lockout-subject";

/**
 * The subject that counts an address's sign-in failures. Sign-in failures never lock out an integration at the same
 * address, and API failures never lock out sign-in.
 */
export const signInSubject = (address: string | null) => `staff ${lockoutSubject(address)}`;

/**
 * The error for an address with too many wrong passwords or invitation tokens.
 * @param seconds the remaining lockout
 */
export function addressLocked(seconds: number): AppError {
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
export function accountDelayed(seconds: number): AppError {
  const message = `Too many failed sign-ins to this account. Wait ${inWords(seconds)}, then try again.`;
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds: seconds });
}
