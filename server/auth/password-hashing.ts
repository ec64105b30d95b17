import { hashPassword as hash, verifyPassword as verify } from "better-auth/crypto";
import { AppError } from "../errors";

/** Each occupies one of Node's four threads for file names and files, which new connections need, too. */
const atOnce = 2;
/** Who comes after them is told to try again: those before take seconds. */
const mostWaiting = 20;

let running = 0;
const waiting: (() => void)[] = [];

/** @throws AppError service_unavailable when too many wait already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) {
      const message = "Too many people sign in at this moment. Nothing was changed; try again shortly.";
      throw new AppError("service_unavailable", message, { retryAfterSeconds: 5 });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The digest of a password. Slow on purpose: call it outside transactions, and once it is known to be of use. */
export const hashPassword = (password: string) => inTurn(() => hash(password));

/** Whether a digest is of this password. */
export const verifyPassword = (given: { hash: string; password: string }) => inTurn(() => verify(given));
