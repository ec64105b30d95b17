import { sessionIdleHours, sessionLifeDays } from "../../kernel/durations";

const IDLE_SECONDS = sessionIdleHours * 3600;
const LIFE_SECONDS = sessionLifeDays * 86_400;
/** The shortest time between two updates of a session's last use. */
const NOTED_SECONDS = 5 * 60;

type Changed = Record<string, unknown> & { expiresAt?: Date };

/** Shortens a session's expiry to the idle timeout before the library stores it. */
async function endingWhenIdle(session: Changed): Promise<{ data: Changed }> {
  const { expiresAt } = session;
  if (!expiresAt) return { data: session };
  const idleEnd = Date.now() + IDLE_SECONDS * 1000;
  return { data: { ...session, expiresAt: new Date(Math.min(expiresAt.getTime(), idleEnd)) } };
}

/**
 * The library has one lifetime for session and cookie. It sets the cookie only at sign-in, so the cookie must outlive
 * the idle timeout. The library therefore gets the longest lifetime, and the stored session expires earlier.
 */
export const sessionSpans = {
  expiresIn: LIFE_SECONDS,
  // The library updates a session when `expiresAt - expiresIn + updateAge` is over.
  updateAge: LIFE_SECONDS - IDLE_SECONDS + NOTED_SECONDS,
};

export const sessionHooks = {
  create: { before: endingWhenIdle },
  update: { before: endingWhenIdle },
};
