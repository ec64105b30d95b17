import { createHmac } from "node:crypto";
import { keysFor, type Secrets } from "../../kernel/derived-keys";
import type { Db } from "../../platform/db/client";
import { countTry, forgetTries, type Patience, type Try } from "../queries/staff-tries";

const HOUR_SECONDS = 3600;
const hourly = {
  firstWaitSeconds: HOUR_SECONDS,
  longestWaitSeconds: HOUR_SECONDS,
  forgottenAfterSeconds: HOUR_SECONDS,
};

/** What may be tried how often, each for one person or address. */
const patience = {
  password: {
    free: 5,
    firstWaitSeconds: 1,
    longestWaitSeconds: 15 * 60,
    forgottenAfterSeconds: 24 * HOUR_SECONDS,
  },
  "notice of failures": { free: 1, ...hourly },
  "notice of a new device": { free: 1, ...hourly },
  "mails of an account": { free: 3, ...hourly },
  "mails from an address": { free: 10, ...hourly },
} satisfies Record<string, Patience>;

export type Tried = keyof typeof patience;

/** Failures from which on others have to wait, and their owner is told. */
export const freePasswords = patience.password.free;

type TriesContext = { db: Db; authSecrets: Secrets };

// The database has no list of who was tried, among them addresses that nobody gave us.
const subjectOf = ({ authSecrets }: TriesContext, what: Tried, about: string) =>
  createHmac("sha256", keysFor(authSecrets, "staff tries")[0]).update(`${what} ${about}`).digest("base64url");

/** Counts a try, before it is known how it ends, unless it comes too early. */
export const countTryOf = (context: TriesContext, what: Tried, about: string): Promise<Try> =>
  countTry(context.db, subjectOf(context, what, about), patience[what]);

/** Whether something that has a limit may be done once more now. Counts it. */
export async function mayDo(context: TriesContext, what: Tried, about: string): Promise<boolean> {
  return "tries" in (await countTryOf(context, what, about));
}

/** Forgets tries, once one of them has gone well. */
export const forgetTriesOf = (context: TriesContext, what: Tried, about: string): Promise<void> =>
  forgetTries(context.db, subjectOf(context, what, about));
