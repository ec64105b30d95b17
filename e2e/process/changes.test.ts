import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, BULK, type Mount, SUBSCRIBERS } from "../contract/client";
import { mountOf, openSite, type Site } from "./site";

/** In `npm test` a hundredth of what CHANGES=200000 plays. */
const CHANGES = Number(process.env.CHANGES ?? 2_000);
const WRITERS = 8;

let site: Site;
let mounts: [Mount, Mount];

beforeAll(async () => {
  const opened = await openSite({ database: "shared" });
  site = opened;
  mounts = [mountOf(opened.first), mountOf(await opened.start())];
});
afterAll(() => site?.close());

const request = async (mount: Mount, method: string, path: string, json?: unknown) => {
  const answer = await ask(mount, { key: site.key, method, path, json });
  expect([200, 201], answer.text).toContain(answer.status);
  return answer.json;
};
const position = async () => (await request(mounts[0], "GET", "/api/v1/changes?after=now")).pagination.next;

/** Changes by person, in order. */
type Histories = Map<string, string[]>;
const add = (histories: Histories, id: string, type: string) =>
  histories.set(id, [...(histories.get(id) ?? []), type]);

/** Creates, changes and unsubscribes people through both processes in turn, until there were enough changes. */
async function write(writer: number, budget: { left: number }, done: Histories): Promise<void> {
  for (let round = 0; budget.left > 0; round++) {
    const mount = mounts[(writer + round) % 2] as Mount;
    const email = (n: number) => `w${writer}-${round}-${n}@example.org`;
    const people: { id: string }[] = [];
    if (writer % 2 === 0) {
      const json = Array.from({ length: 20 }, (_, n) => ({ email: email(n) }));
      people.push(...(await request(mount, "POST", BULK, json)).data.created);
    } else
      for (let n = 0; n < 5; n++)
        people.push((await request(mount, "POST", SUBSCRIBERS, { email: email(n) })).data);
    for (const { id } of people) add(done, id, "created");
    budget.left -= people.length;
    for (const { id } of people.slice(0, 3)) {
      await request(mount, "PUT", `${SUBSCRIBERS}/${id}`, { name: `Round ${round}` });
      add(done, id, "updated");
      await request(mount, "DELETE", `${SUBSCRIBERS}/${id}`);
      add(done, id, "unsubscribed");
      budget.left -= 2;
    }
  }
}

/** Follows the manual's recipe through both processes, until the writers are done and no change is left. */
async function poll(after: string, isOver: () => boolean, seen: Histories): Promise<number> {
  let next = after;
  for (let polls = 1; ; polls++) {
    const ends = isOver();
    const path = `/api/v1/changes?limit=100&wait=${ends ? 1 : 5}&after=${next}`;
    const { data, pagination } = await request(mounts[polls % 2] as Mount, "GET", path);
    for (const { subscriber_id, type } of data) add(seen, subscriber_id, type);
    next = pagination.next;
    if (ends && data.length === 0) return polls;
  }
}

describe("the changes of two processes on one database", () => {
  it(`are read once each, in order for each person, by a poller beside ${WRITERS} writers`, {
    timeout: 60_000 + CHANGES * 20,
  }, async () => {
    const after = await position();
    const [done, seen]: [Histories, Histories] = [new Map(), new Map()];
    const budget = { left: CHANGES };
    let isOver = false;
    const polling = poll(after, () => isOver, seen);
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, budget, done)));
    isOver = true;
    const polls = await polling;
    const count = (histories: Histories) =>
      [...histories.values()].reduce((sum, { length }) => sum + length, 0);
    console.log(`changes: ${count(done)} written, ${count(seen)} seen in ${polls} polls`);
    expect(count(done)).toBeGreaterThanOrEqual(CHANGES);
    expect(seen.size).toBe(done.size);
    const wrong = [...done].filter(([id, history]) => seen.get(id)?.join() !== history.join());
    expect(wrong).toEqual([]);
  });
});
