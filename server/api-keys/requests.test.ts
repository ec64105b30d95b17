import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../kernel/ids";
import { MINUTE_MS } from "../kernel/time";
import { type Limiter, openLimiter } from "../platform/limits/limiter";
import { parseLockout } from "../platform/limits/policies";
import { addNewsletter } from "../test/linked-person";
import { database, openDatabaseForTests } from "../test/open-database";
import { freePort } from "../test/product";
import { type ApiRequestRow, countRequests, insertApiRequests } from "./queries/api-requests";
import { liftLockout, listLockouts, listRequests, type RequestView } from "./requests";
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
    const page = await listRequests(database, {
      newsletterId,
      view: { answer: "email_already_subscribed" },
    });
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
  const answers = ["422", "201", "validation_error", "payload_too_large", "internal_error"];
  it.each<[string, [view: RequestView, keep: (row: ApiRequestRow) => boolean][]]>([
    [
      "an operation",
      loggedOperations.map((operation) => [{ operation }, (row) => row.operation === operation]),
    ],
    ["an outcome", outcomes.map((answer) => [{ answer }, (row) => outcomeOf(row.status) === answer])],
    [
      "a status or code",
      answers.map((answer) => [{ answer }, (row) => [String(row.status), row.code].includes(answer)]),
    ],
    [
      "all at once",
      [
        [
          { keyId: keyIds[1], operation: "createSubscriber", answer: "rejected", withinMinutes: 60 },
          (row) =>
            row.apiKeyId === keyIds[1] &&
            row.operation === "createSubscriber" &&
            outcomeOf(row.status) === "rejected" &&
            within(row, 60),
        ],
      ],
    ],
  ])("filtered by %s, shows exactly the matching requests", async (_, views) => {
    for (const [view, keep] of views) {
      const expected = matching(keep);
      expect(expected.length, JSON.stringify(view)).toBeGreaterThan(0);
      expect(await readAll(view), JSON.stringify(view)).toEqual(expected);
    }
  });

  it("shows nothing for another newsletter's key", async () => {
    const other = await addNewsletter(database.db);
    expect(
      (await listRequests(database, { newsletterId: other.id, view: { keyId: keyIds[0] } })).items,
    ).toEqual([]);
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

describe("lockouts", () => {
  const rules = { errors: parseLockout("3/10m for 1m"), auth: parseLockout("2/10m for 10m") };
  const open = () =>
    openLimiter({
      policies: { single: [], bulk: [], me: [] },
      lockouts: rules,
      log: { warn() {}, info() {} },
    });
  const lockoutsOf = (limiter: Limiter) =>
    listLockouts({ db: database.db, limiter, lockouts: rules }, { newsletterId });

  it("an empty list is known to be complete", async () => {
    expect(await lockoutsOf(open())).toEqual({
      awaySince: null,
      locks: [],
    });
  });

  it("lists only this newsletter's keys with their most frequent rejection, and the addresses that used them", async () => {
    const limiter = open();
    const stranger = newId();
    for (let i = 0; i < 3; i++) {
      for (const id of [keyIds[0], stranger]) await limiter.countError(id);
      for (const address of ["192.0.2.7", "198.51.100.9"]) await limiter.failedAuthentication(address);
    }
    const lately = { ...(rows[0] as ApiRequestRow), apiKeyId: keyIds[0], status: 404, code: "not_found" };
    await insertApiRequests(
      database.db,
      [1, 2, 3].map(() => ({ ...lately, operation: "getSubscriber", rejected: null, at: new Date() })),
    );
    const { awaySince, locks } = await lockoutsOf(limiter);
    expect(awaySince).toBeNull();
    expect(locks).toEqual([
      {
        kind: "errors",
        key: { id: keyIds[0], name: "Shop" },
        address: null,
        secondsLeft: 60,
        limit: 3,
        windowSeconds: 600,
        mostly: expect.objectContaining({ status: 404, code: "not_found", times: 3 }),
      },
      {
        kind: "auth",
        key: { id: keyIds[0], name: "Shop" },
        address: "192.0.2.7",
        secondsLeft: 600,
        limit: 2,
        windowSeconds: 600,
        mostly: null,
      },
    ]);
  });

  it("are reported as unknown while the shared store is unreachable", async () => {
    const limiter = openLimiter({
      redisUrl: `redis://127.0.0.1:${await freePort()}`,
      policies: { single: [], bulk: [], me: [] },
      lockouts: rules,
      log: { warn() {}, info() {} },
    });
    await limiter.ready;
    for (let i = 0; i < 3; i++) await limiter.countError(keyIds[0]);
    const { awaySince, locks } = await lockoutsOf(limiter);
    expect(awaySince).toBeInstanceOf(Date);
    // This process enforces and shows the failures that it counted itself.
    expect(locks).toHaveLength(1);
    await limiter.close();
  });

  it("an owner can end a lockout, and the audit log records who did", async () => {
    const limiter = open();
    for (let i = 0; i < 3; i++) await limiter.countError(keyIds[0]);
    const newsletter = await database.db.newsletter.findUniqueOrThrow({ where: { id: newsletterId } });
    const staffId = newId();
    const actor = { kind: "staff", id: staffId, accountId: newsletter.accountId, role: "owner" } as const;
    const ctx = { db: database.db, actor, requestId: "test", limiter };
    expect(await liftLockout(ctx, { newsletterId, keyId: keyIds[0] })).toEqual({ everywhere: true });
    expect((await lockoutsOf(limiter)).locks).toEqual([]);
    expect(await database.db.auditEntry.findMany({ where: { newsletterId } })).toMatchObject([
      {
        action: "api_key.lockout_lifted",
        actorId: staffId,
        subjectId: keyIds[0],
        detail: { name: "Shop" },
      },
    ]);
  });
});
