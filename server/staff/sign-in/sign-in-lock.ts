import { AppError } from "../../kernel/errors";
import { lockoutSubject } from "../../platform/limits/lockout-subject";

/** What failures of an address count for: they lock out no integration at the same address, nor the reverse. */
export const signInSubject = (address: string | null) => `staff ${lockoutSubject(address)}`;

/** For an address with too many wrong passwords or invitations. @param seconds how long it is locked out for */
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

/** For an account on which there were too many wrong passwords, whether or not there is such. */
export function accountDelayed(seconds: number): AppError {
  const message = `Too many failed sign-ins to this account. Wait ${inWords(seconds)}, then try again.`;
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds: seconds });
}
