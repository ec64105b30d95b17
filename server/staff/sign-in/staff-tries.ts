import { createHmac } from "node:crypto";
import { keysFor, type Secrets } from "../../kernel/secrets";
import type { Db } from "../../platform/db/client";
import { countTry, forgetTries, type Try, type TryLimits } from "../queries/staff-tries";

const HOUR_SECONDS = 3600;
const hourly = {
  firstWaitSeconds: HOUR_SECONDS,
  longestWaitSeconds: HOUR_SECONDS,
  forgottenAfterSeconds: HOUR_SECONDS,
};

/** The limit of each kind of try, for one person or address. */
const tryLimits = {
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
} satisfies Record<string, TryLimits>;

type Tried = keyof typeof tryLimits;

/** The number of failures after which other browsers have to wait and the owner is notified. */
export const freePasswords = tryLimits.password.free;

type TriesContext = { db: Db; authSecrets: Secrets };

// Subjects are keyed hashes, so the database lists no tried addresses. Some of these addresses belong to strangers.
const subjectOf = ({ authSecrets }: TriesContext, what: Tried, about: string) =>
  createHmac("sha256", keysFor(authSecrets, "staff tries")[0]).update(`${what} ${about}`).digest("base64url");

/** Counts a try before its outcome is known, unless the try comes too early. */
export const countTryOf = (context: TriesContext, what: Tried, about: string): Promise<Try> =>
  countTry(context.db, subjectOf(context, what, about), tryLimits[what]);

/** Forgets tries after a success. */
export const forgetTriesOf = (context: TriesContext, what: Tried, about: string): Promise<void> =>
  forgetTries(context.db, subjectOf(context, what, about));
