import { sessionIdleHours, sessionLifeDays } from "../../kernel/spans";

const IDLE_SECONDS = sessionIdleHours * 3600;
const LIFE_SECONDS = sessionLifeDays * 86_400;
/** A session's use is noted no more often. */
const NOTED_SECONDS = 5 * 60;

type Changed = Record<string, unknown> & { expiresAt?: Date };

/** What the library wants to store, with an end after the idle time. */
async function endingWhenIdle(session: Changed): Promise<{ data: Changed }> {
  const { expiresAt } = session;
  if (!expiresAt) return { data: session };
  const idleEnd = Date.now() + IDLE_SECONDS * 1000;
  return { data: { ...session, expiresAt: new Date(Math.min(expiresAt.getTime(), idleEnd)) } };
}

/**
 * The library knows one span, and sets the cookie's life by it; the cookie has to outlive the idle time, since it is set at
 * the sign-in only. So it is told the longest life, and what is stored in the database ends earlier.
 */
export const sessionSpans = {
  expiresIn: LIFE_SECONDS,
  // The library notes a use when `expiresAt - expiresIn + updateAge` is over.
  updateAge: LIFE_SECONDS - IDLE_SECONDS + NOTED_SECONDS,
};

export const sessionHooks = {
  create: { before: endingWhenIdle },
  update: { before: endingWhenIdle },
};
