import { TRPCClientError } from "@trpc/client";
import type { Ledger, Place } from "./consent-ledger";
import type { ConsentStage } from "./consent-stage";

export type Person = Place & { id: string; version: number };

/** What a step may use: an installation, the people on its lists, and random numbers. */
export type Play = ConsentStage & {
  /** The newsletters of the account. The API key belongs to the first. */
  newsletterIds: [string, string];
  ledger: Ledger;
  random(): number;
  /** The people at the start of the round. */
  people: Person[];
  /**
   * The people of the latest bulk action that may be undone. Later events for them, and their order, are what matters.
   */
  touched: Person[];
  undoable: (Pick<Place, "newsletterId"> & { kind: "bulk" | "import"; id: string })[];
  suppressions: { id: string; email: string }[];
  /**
   * Rounds that change addresses don't use actions on several people, because the intended address would be ambiguous.
   */
  changesAddresses: boolean;
  /** Counts from 0. */
  round: number;
};

/**
 * The number of addresses in use at a time. People who leave are suppressed, often permanently, so each round adds new
 * addresses.
 */
const POOL = 24;
const NEW_EACH_ROUND = 8;
export const pick = <T>({ random }: Play, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

export function address(play: Play): string {
  const { random, round, touched } = play;
  if (random() < 0.2 && touched.length > 0) return pick(play, touched).email;
  return `p${round * NEW_EACH_ROUND + Math.floor(random() * POOL)}@d${Math.floor(random() * 2)}.example`;
}
export const status = (play: Play) => pick(play, ["active", "active", "pending"] as const);
export const add = (play: Play) => ({ email: address(play), status: status(play) });
export const newsletterOf = ({ newsletterIds: [first, second], random }: Play) =>
  random() < 0.7 ? first : second;
const nobody = { id: "01a1fab8-221d-73cc-bf6f-88bbf811ce3c", email: "", version: 1 };

export function somebody(play: Play, newsletterId = newsletterOf(play)): Person {
  const from = play.random() < 0.3 ? play.touched : play.people;
  const people = from.filter((one) => one.newsletterId === newsletterId);
  return people.length > 0 ? pick(play, people) : { ...nobody, newsletterId };
}

export const url = (play: Play) => pick(play, play.urls);
export const procedures = (play: Play) => play.staff.at(url(play)).trpc;

async function answered(answer: Response): Promise<string> {
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return text;
}

export async function rest(play: Play, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${url(play)}${path}`, {
    method,
    headers: { authorization: `Bearer ${play.key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { data } = JSON.parse(await answered(answer)) as { data?: unknown };
  return { status: answer.status, data };
}

/** Submits a form of a public page. @param link the link from an email; either server may serve it */
export async function press(play: Play, link: string, fields: Record<string, string>): Promise<string> {
  const answer = await fetch(url(play) + new URL(link).pathname, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  return answered(answer);
}

/** Returns null when the work is refused. Refusals are expected; only a server error fails the test. */
export async function allowed<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TRPCClientError && Number(error.data?.httpStatus) < 500) return null;
    throw error;
  }
}

export const personsOf = (play: Play, ids: string[]) =>
  play.sql<Place & { status: string }>(
    `SELECT newsletter_id AS "newsletterId", email, status FROM subscribers WHERE id = ANY ($1)`,
    [ids],
  );
