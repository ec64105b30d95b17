import { type Answer, ask, BULK, type Mount } from "../contract/client";
import type { Site } from "./site";

export type Person = { email: string; status: "active" | "pending" };

/** One request of the load: who was in it, and what came back; no answer when the connection broke. */
export type Asked = { people: Person[]; answer?: Answer };

export type Load = {
  asked: Asked[];
  /** No new requests; resolves when the last one has its answer or lost its connection. */
  stop(): Promise<void>;
};

const BULK_SIZE = 12;

/** Single creates of both kinds and bulks that mix them, in turn. */
function compose(prefix: string, n: number): Person[] {
  const status = (i: number) => (i % 2 ? "active" : "pending");
  if (n % 4 !== 3) return [{ email: `${prefix}-${n}@lovelace.org`, status: status(n) }];
  return Array.from({ length: BULK_SIZE }, (_, i) => ({
    email: `${prefix}-${n}-${i}@lovelace.org`,
    status: status(i),
  }));
}

/**
 * Creates people as fast as they are answered, over `clients` connections, until it is stopped or the server is gone.
 * @param onAnswer called at once with each answer, and how many there were
 */
export function startLoad(
  mounts: Mount[],
  key: string,
  {
    prefix,
    clients = 16,
    onAnswer,
  }: { prefix: string; clients?: number; onAnswer?: (answer: Answer, count: number) => void },
): Load {
  const asked: Asked[] = [];
  let next = 0;
  let answers = 0;
  let over = false;

  async function client(mount: Mount): Promise<void> {
    while (!over) {
      const entry: Asked = { people: compose(prefix, next++) };
      asked.push(entry);
      const single = entry.people.length === 1;
      const question = { key, racing: true, json: single ? entry.people[0] : entry.people };
      try {
        entry.answer = await ask(mount, single ? question : { ...question, path: BULK });
      } catch {
        return; // the connection broke: nobody said anything, so anything may be true
      }
      onAnswer?.(entry.answer, ++answers);
    }
  }
  const clientsDone = Promise.all(
    Array.from({ length: clients }, (_, i) => client(mounts[i % mounts.length] as Mount)),
  );
  return {
    asked,
    async stop() {
      over = true;
      await clientsDone;
    },
  };
}

/** What the list says against what was answered: each list should be empty. */
export async function breaches(site: Site, asked: Asked[]) {
  const rows = await site.sql<{ email: string }>("SELECT email FROM subscribers");
  const list = new Set(rows.map((row) => row.email));
  const there = ({ people }: Asked) => people.filter((person) => list.has(person.email)).length;
  const isAcknowledged = ({ answer }: Asked) => answer?.status === 201;
  return {
    lostThoughAcknowledged: asked.filter((one) => isAcknowledged(one) && there(one) < one.people.length),
    halfBulks: asked.filter((one) => there(one) > 0 && there(one) < one.people.length),
    wrongSaidUnchanged: asked.filter(
      (one) => /othing was changed/.test(one.answer?.json.message) && there(one) > 0,
    ),
    // A database that is cut off under a living server is told to the caller as 503.
    strangeAnswers: asked.flatMap(({ answer }) =>
      answer && ![201, 503].includes(answer.status) ? [answer] : [],
    ),
    writtenTwice: rows.length - list.size,
  };
}

export const noBreaches = {
  lostThoughAcknowledged: [],
  halfBulks: [],
  wrongSaidUnchanged: [],
  strangeAnswers: [],
  writtenTwice: 0,
};
