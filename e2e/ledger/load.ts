import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, ask, BULK, type Mount, SUBSCRIBERS } from "../contract/client";
import type { Site } from "../process/site";

type Status = "active" | "pending" | "unsubscribed";
type Person = { email: string; status: Status; name: string };
type Verb = "create" | "bulk" | "rename" | "unsubscribe";

/** One write of the load: whom it concerns, and what came back; no answer when the connection broke. */
type Write = {
  verb: Verb;
  path: string;
  method: string;
  json: unknown;
  idempotencyKey: string | undefined;
  people: Person[];
  answer?: Answer;
  /** Why there was no answer. */
  failure?: string;
};

export type Load = {
  writes: Write[];
  /** No new requests; resolves when the last one has its answer or lost its connection. */
  stop(): Promise<void>;
};

type LoadOptions = {
  /** Begins every address, so that loads can be told apart. */
  prefix: string;
  clients?: number;
  /** Goes on when a connection breaks or the answer is 503, as a client behind a proxy does; else the client ends. */
  persistent?: boolean;
  /** Between an answer and the next request of a client. */
  pauseMs?: number;
  /** Called at once with each answer, and how many there were. */
  onAnswer?: (answer: Answer, count: number) => void;
};

const bulkSize = 12;
const isCreate = ({ verb }: Write) => verb === "create" || verb === "bulk";
export const isAcknowledged = ({ answer }: Write) => answer !== undefined && answer.status < 300;

/** The requests of one client in turn, about its own people only, so that the expected rows are known. */
class Client {
  #count = 0;
  readonly #made: { id: string; person: Person }[] = [];

  constructor(private readonly prefix: string) {}

  next(): Write {
    const n = this.#count++;
    const known = n % 6 > 3 ? this.#made.shift() : undefined;
    if (known && n % 6 === 4) return this.#change("rename", known);
    if (known) return this.#change("unsubscribe", known);
    const people = Array.from({ length: n % 6 === 3 ? bulkSize : 1 }, (_, i) => ({
      // A domain has a daily budget of emails, which a long run exceeds.
      email: `${n}-${i}@${this.prefix}.lovelace.org`,
      status: (n + i) % 2 ? ("active" as const) : ("pending" as const),
      name: "",
    }));
    const isBulk = people.length > 1;
    const json = people.map(({ email, status }) => ({ email, status }));
    return {
      verb: isBulk ? "bulk" : "create",
      method: "POST",
      path: isBulk ? BULK : SUBSCRIBERS,
      json: isBulk ? json : json[0],
      // Every second create comes without one, as many integrations send it.
      idempotencyKey: n % 2 ? randomUUID() : undefined,
      people,
    };
  }

  /** Learns the ids of the people it may change later. */
  note(write: Write): void {
    if (!isAcknowledged(write) || write.verb !== "create") return;
    this.#made.push({ id: write.answer?.json.data.id, person: write.people[0] as Person });
  }

  #change(verb: "rename" | "unsubscribe", { id, person }: { id: string; person: Person }): Write {
    const after: Person =
      verb === "rename" ? { ...person, name: "Renamed" } : { ...person, status: "unsubscribed" };
    const rest = { verb, idempotencyKey: undefined, people: [after], path: `${SUBSCRIBERS}/${id}` };
    return verb === "rename"
      ? { ...rest, method: "PUT", json: { name: "Renamed" } }
      : { ...rest, method: "DELETE", json: undefined };
  }
}

const send = (mount: Mount, key: string, write: Write) =>
  ask(mount, {
    key,
    method: write.method,
    path: write.path,
    ...(write.json !== undefined && { json: write.json }),
    ...(write.idempotencyKey && { headers: { "Idempotency-Key": write.idempotencyKey } }),
  });

/** Writes as fast as it is answered, over `clients` connections, until it is stopped or the server is gone. */
export function startLoad(mounts: Mount[], key: string, options: LoadOptions): Load {
  const { prefix, clients = 16, persistent = false, pauseMs = 0, onAnswer } = options;
  const writes: Write[] = [];
  let answers = 0;
  let over = false;

  async function run(mount: Mount, client: Client): Promise<void> {
    while (!over) {
      const write = client.next();
      writes.push(write);
      try {
        write.answer = await send(mount, key, write);
        client.note(write);
        onAnswer?.(write.answer, ++answers);
      } catch (error) {
        // A fault of the answer itself is one of the product's; a broken connection says nothing.
        if ((error as Error).name === "AssertionError") throw error;
        write.failure = (error as Error).message;
        if (!persistent) return;
      }
      const isRejected = write.answer?.status !== 200 && write.answer?.status !== 201;
      if (pauseMs || (persistent && isRejected)) await sleep(Math.max(pauseMs, isRejected ? 20 : 0));
    }
  }
  const done = Promise.all(
    Array.from({ length: clients }, (_, i) =>
      run(mounts[i % mounts.length] as Mount, new Client(`${prefix}-c${i}`)),
    ),
  );
  done.catch(() => {}); // said by stop()
  return {
    writes,
    async stop() {
      over = true;
      await done;
    },
  };
}

/** Writes whose rows differ from their answer: each list should be empty. */
export type Breaches = {
  lost: string[];
  partial: string[];
  doubled: string[];
  /** Answers that say "Nothing was changed" of writes that were carried out. */
  untrue: string[];
  /** Other answers than the write's own and 503. */
  strange: string[];
};
export const noBreaches: Breaches = { lost: [], partial: [], doubled: [], untrue: [], strange: [] };

type Row = { email: string; status: Status; name: string };

/** Holds the list against what was answered to a load. */
export async function breachesOf(site: Pick<Site, "sql">, { writes }: Load): Promise<Breaches> {
  const emails = [...new Set(writes.flatMap(({ people }) => people.map(({ email }) => email)))];
  const rows = await site.sql<Row>(
    `SELECT email, status::text, trim(first_name || ' ' || last_name) AS name FROM subscribers WHERE email = ANY ($1)`,
    [emails],
  );
  const found = new Map(rows.map((row) => [row.email, row]));
  const rowOf = ({ email }: Person) => found.get(email);
  const isLost = (write: Write) =>
    isCreate(write)
      ? write.people.some((person) => !rowOf(person))
      : write.people.some((person) => {
          const row = rowOf(person);
          return write.verb === "rename" ? row?.name !== person.name : row?.status !== person.status;
        });
  const there = (write: Write) => write.people.filter((person) => rowOf(person)).length;
  const name = (write: Write) =>
    `${write.verb} ${write.people[0]?.email} → ${write.answer?.status ?? "no answer"}`;
  const creates = writes.filter(isCreate);
  return {
    lost: writes.filter((write) => isAcknowledged(write) && isLost(write)).map(name),
    partial: creates.filter((write) => there(write) > 0 && there(write) < write.people.length).map(name),
    doubled: rows.length === found.size ? [] : [`${rows.length - found.size} rows`],
    untrue: creates
      .filter((write) => /nothing was changed/i.test(write.answer?.json?.message ?? "") && there(write) > 0)
      .map(name),
    strange: writes
      .filter(({ answer }) => answer && ![200, 201, 503].includes(answer.status))
      .map((write) => `${name(write)} ${write.answer?.text.slice(0, 200)}`),
  };
}

/**
 * Repeats what was not acknowledged, where it has an Idempotency-Key, as the manual tells integrations to.
 * @returns those whose repetition was not answered as the first should have been, or differs when it is repeated once more
 */
export async function repeatUnacknowledged(mount: Mount, key: string, { writes }: Load) {
  const wrong: string[] = [];
  const open = writes.filter((write) => write.idempotencyKey && !isAcknowledged(write));
  for (const write of open) {
    const [first, second] = [await send(mount, key, write), await send(mount, key, write)];
    if (first.status !== 201 || second.text !== first.text)
      wrong.push(`${write.verb} ${write.people[0]?.email}: ${first.status}, then ${second.status}`);
    write.answer = first;
  }
  return { repeated: open.length, wrong };
}
