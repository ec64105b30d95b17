import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../kernel/ids";
import { MINUTE_MS } from "../kernel/time";
import type { Operation } from "../rest/schema/operation";
import { operations } from "../rest/schema/operations";
import { addNewsletter } from "../test/linked-person";
import { database, openDatabaseForTests } from "../test/open-database";
import { type ApiRequestRow, countRequests, insertApiRequests } from "./queries/api-requests";
import { listRequests, type RequestView } from "./requests";
import { answersMatching, loggedOperations, outcomeOf, outcomes } from "./schema/request-log";

openDatabaseForTests();
let newsletterId: string;
const keyIds = [newId(), newId()] as [string, string];
/** The log's rows, newest first. */
let rows: ApiRequestRow[] = [];

async function addKey(id: string, owner: string, name: string, lastUsedFrom: string | null = null) {
  await database.db.apiKey.create({
    data: {
      id,
      newsletterId: owner,
      name,
      prefix: "sk_abc",
      permissions: [],
      lastUsedFrom,
      secretSha256: crypto.getRandomValues(new Uint8Array(32)),
    },
  });
}

beforeAll(async () => {
  const { db } = database;
  newsletterId = (await addNewsletter(db)).id;
  const other = await addNewsletter(db);
  await addKey(keyIds[0], newsletterId, "Shop", "192.0.2.7");
  await addKey(keyIds[1], newsletterId, "Website", "2001:db8:1:2::7");
  const answers = outcomes.flatMap(answersMatching);
  const now = Date.now();
  // Every operation with every answer, by both keys, from a minute ago to five days ago.
  rows = loggedOperations.flatMap((operation, o) =>
    answers.map(({ status, code }, a) => {
      const n = o * answers.length + a;
      return {
        newsletterId,
        apiKeyId: keyIds[n % 3 === 0 ? 1 : 0],
        operation,
        status,
        code: code || null,
        requestId: `request-${n}`,
        durationMs: n,
        rejected: code ? "email: tld" : null,
        at: new Date(now - MINUTE_MS - n * n * MINUTE_MS * 0.5),
      };
    }),
  );
  const foreign = rows.map((row) => ({ ...row, newsletterId: other.id, requestId: "theirs" }));
  await insertApiRequests(db, [...rows, ...foreign]);
});

/** All pages of a view, by request id. */
async function readAll(view: RequestView): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listRequests>> = await listRequests(database, {
      newsletterId,
      view,
      cursor: after,
    });
    found.push(...page.items.map((request) => request.requestId));
    after = page.next;
  } while (after);
  return found;
}

const matching = (keep: (row: ApiRequestRow) => boolean) => rows.filter(keep).map((row) => row.requestId);

describe("the request log", () => {
  it("has every request of the newsletter, newest first, each once across all pages", async () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(await readAll({})).toEqual(matching(() => true));
  });

  it("shows the operation, the key and the result", async () => {
    const page = await listRequests(database, { newsletterId, view: { answer: "email_already_subscribed" } });
    expect(page.items[0]).toMatchObject({
      operation: "createSubscriber",
      call: { method: "POST", path: "/api/v1/subscribers" },
      status: 422,
      code: "email_already_subscribed",
      rejected: "email: tld",
      apiKeyId: expect.any(String),
      keyName: expect.stringMatching(/^(Shop|Website)$/),
    });
  });

  const within = (row: ApiRequestRow, minutes: number) => row.at.getTime() > Date.now() - minutes * MINUTE_MS;
  it.each<[view: RequestView, keep: (row: ApiRequestRow) => boolean]>([
    [{ operation: "getMe" }, (row) => row.operation === "getMe"],
    ...outcomes.map((answer): [RequestView, (row: ApiRequestRow) => boolean] => [
      { answer },
      (row) => outcomeOf(row.status) === answer,
    ]),
    [{ answer: "422" }, (row) => row.status === 422],
    [{ answer: "payload_too_large" }, (row) => row.code === "payload_too_large"],
    [
      { keyId: keyIds[1], operation: "createSubscriber", answer: "rejected", withinMinutes: 60 },
      (row) =>
        row.apiKeyId === keyIds[1] &&
        row.operation === "createSubscriber" &&
        outcomeOf(row.status) === "rejected" &&
        within(row, 60),
    ],
  ])("filtered by %j, shows exactly the matching requests", async (view, keep) => {
    const expected = matching(keep);
    expect(expected.length).toBeGreaterThan(0);
    expect(await readAll(view)).toEqual(expected);
  });

  it("can be filtered by every answer of an operation", () => {
    const declared = Object.values<Operation>(operations).flatMap(({ answers }) => answers);
    const statuses = new Set(declared.map(({ status }) => status));
    expect(answersMatching("succeeded").map(({ status }) => status)).toEqual([...statuses].sort());
  });

  it("has the same counts in the overview and in the log", async () => {
    const { requests, rejected, failed } = await countRequests(database.db, newsletterId, 7);
    const week = { withinMinutes: 7 * 1440 };
    expect(requests).toBe((await readAll(week)).length);
    expect(rejected).toBe((await readAll({ ...week, answer: "rejected" })).length);
    expect(failed).toBe((await readAll({ ...week, answer: "failed" })).length);
    expect(Math.min(rejected, failed)).toBeGreaterThan(0);
  });
});
