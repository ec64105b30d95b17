import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids";
import { createSubscriber } from "../subscribers/create-subscribers";
import { countByStatus } from "../subscribers/queries/people-counts";
import { NewSubscriber } from "../subscribers/schema/subscriber";
import {
  commit,
  ended,
  fixture,
  holdTransaction,
  imported,
  newsletter,
  openFixtureForTests,
  openImportRunner,
  planned,
  waitForLock,
} from "../test/import-fixture";
import { addNewsletter, suppressAddress } from "../test/linked-person";
import { workJob } from "../work/add-work";
import { runWork } from "../work/run-work";
import { beginImport, cancelImport, getImport, listImports } from "./imports";

openFixtureForTests();

const people = (count: number, prefix = "person") =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@lovelace.org`);

const list = async () => {
  const rows = await fixture.db.subscriber.findMany({
    where: { newsletterId: newsletter.id },
    orderBy: { emailCanonical: "asc" },
  });
  return rows.map(({ email, firstName, lastName, status, source }) =>
    [email, status, source, `${firstName} ${lastName}`.trim()].join(" | "),
  );
};

/** What the counter rows say is what is there. */
async function expectExactCounts() {
  const counted = await countByStatus(fixture.db, newsletter.id);
  for (const status of ["active", "pending", "unsubscribed"] as const)
    expect(counted[status]).toBe(
      await fixture.db.subscriber.count({ where: { newsletterId: newsletter.id, status } }),
    );
}

const acts = async (action: string) =>
  fixture.db.auditEntry.findMany({ where: { newsletterId: newsletter.id, action } });

/** Somebody who holds an address in a transaction of their own, so that an import waits for them. */
const hold = (email: string, stays = false) =>
  holdTransaction(
    (tx) => tx.$executeRaw`INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
      VALUES (${newsletter.id}::uuid, ${newId()}::uuid, ${email}, ${email}, 'active', 'api')`,
    stays,
  );

describe("a commit", () => {
  it("adds the new, mails each pending one once, and leaves the others as they are", async () => {
    await fixture.add(newsletter.id, "here@list.org", { firstName: "Here" });
    await fixture.add(newsletter.id, "left@list.org", { status: "unsubscribed" });
    const run = await imported(fixture, newsletter, [
      { email: "Ada@Lovelace.org", name: "Ada Lovelace" },
      { email: "grace@navy.mil", name: "Grace Hopper", status: "pending" },
      { email: "here@list.org", name: "Somebody Else" },
      { email: "left@list.org", status: "pending" },
    ]);
    expect(run).toMatchObject({
      state: "done",
      number: 1,
      by: "Robin",
      rows: 4,
      progress: { done: 4, total: 4 },
      consent: { source: "the fair", wording: "yes" },
      counts: { new_active: 1, new_pending: 1, already_active: 1, unsubscribed: 1 },
    });
    expect(await list()).toEqual([
      "Ada@Lovelace.org | active | import | Ada Lovelace",
      "grace@navy.mil | pending | import | Grace Hopper",
      "here@list.org | active | api | Here",
      "left@list.org | unsubscribed | api | ",
    ]);
    const mails = await fixture.db.mail.findMany({ where: { newsletterId: newsletter.id } });
    expect(mails.map((mail) => [mail.toEmail, mail.state])).toEqual([["grace@navy.mil", "waiting"]]);
    await expectExactCounts();
  });

  it("writes a confirmation as any pending person's", async () => {
    const input = NewSubscriber.parse({ email: "Grace.Hopper+list@gmail.com", status: "pending" });
    const origin = { newsletterId: newsletter.id, source: "api", sourceId: null } as const;
    const other = await addNewsletter(fixture.db);
    await createSubscriber(fixture.ctx, { ...origin, newsletterId: other.id }, input);
    await imported(fixture, newsletter, [{ email: "Grace.Hopper+list@gmail.com", status: "pending" }]);
    const [own, usual] = await Promise.all(
      [newsletter.id, other.id].map((newsletterId) =>
        fixture.db.mail.findFirstOrThrow({ where: { newsletterId } }),
      ),
    );
    const { id, newsletterId, subscriberId, createdAt, linkExpiresAt, urgent, ...rest } =
      usual as NonNullable<typeof usual>;
    expect(own).toMatchObject(rest);
    expect([own?.urgent, urgent]).toEqual([false, true]);
    expect(own?.linkExpiresAt.getTime()).toBe((own?.createdAt.getTime() ?? 0) + 7 * 86_400_000);
    const person = await fixture.db.subscriber.findFirstOrThrow({ where: { newsletterId: newsletter.id } });
    // Ids are read as times elsewhere: the list's order, and the span of "added".
    expect(person.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const madeAt = Number.parseInt(person.id.replaceAll("-", "").slice(0, 12), 16);
    expect(Math.abs(madeAt - person.createdAt.getTime())).toBeLessThan(60_000);
  });

  it("goes through lists of more than one piece, and counts each outcome", async () => {
    await fixture.add(newsletter.id, "person7@lovelace.org");
    const rows = people(4_500).map((email, i) => ({
      email,
      ...(i % 3 === 0 && { status: "pending" as const }),
    }));
    const run = await imported(fixture, newsletter, rows);
    expect(run).toMatchObject({
      state: "done",
      progress: { done: 4_500, total: 4_500 },
      counts: { new_active: 2_999, new_pending: 1_500, already_active: 1 },
    });
    const pending = { newsletterId: newsletter.id, status: "pending" };
    expect(await fixture.db.subscriber.count({ where: pending })).toBe(1_500);
    const mails = await fixture.db.mail.findMany({ where: { newsletterId: newsletter.id } });
    expect(new Set(mails.map((mail) => mail.subscriberId)).size).toBe(1_500);
    expect(mails).toHaveLength(1_500);
    await expectExactCounts();
    expect(await acts("import.done")).toMatchObject([
      { subjectId: run.id, actorKind: "staff", detail: { number: 1, people: 4_499 } },
    ]);
  });

  it("is carried out once, however often it is asked for", async () => {
    const made = await planned(fixture, newsletter, people(300));
    const runs = await Promise.all([1, 2, 3, 4].map(() => commit(fixture, newsletter, made)));
    expect(new Set(runs.map((run) => run.number))).toEqual(new Set([1]));
    expect((await ended(fixture, newsletter, made.importId)).state).toBe("done");
    expect((await commit(fixture, newsletter, made)).state).toBe("done");
    expect(await list()).toHaveLength(300);
  });

  it("is rejected with another plan's digest, another number of people, or nobody to add, and begins nothing", async () => {
    await fixture.add(newsletter.id, "here@list.org");
    const made = await planned(fixture, newsletter, people(3));
    const nobody = await planned(fixture, newsletter, ["here@list.org"]);
    const consent = { source: "the fair", wording: "", people: 3 };
    const attempt = (importId: string, digest: string, number: number) =>
      beginImport(fixture.ctx, newsletter.id, { importId, digest, consent: { ...consent, people: number } });
    await expect(attempt(made.importId, nobody.digest, 3)).rejects.toMatchObject({
      errors: { digest: [/plan has changed/] },
    });
    await expect(attempt(made.importId, made.digest, 4)).rejects.toMatchObject({
      errors: { people: [/adds 3 people, and the agreement was for 4/] },
    });
    await expect(attempt(nobody.importId, nobody.digest, 0)).rejects.toMatchObject({
      errors: { people: [/nothing to do/] },
    });
    await expect(attempt(newId(), made.digest, 3)).rejects.toMatchObject({ code: "not_found" });
    expect((await getImport(fixture.ctx, newsletter.id, made.importId)).state).toBe("planned");
  });

  it("is numbered within its newsletter, without gaps for unused import plans", async () => {
    const other = await addNewsletter(fixture.db);
    await imported(fixture, other, ["a@list.org"]);
    await planned(fixture, newsletter, ["a@list.org"]);
    await imported(fixture, newsletter, ["b@list.org"]);
    const second = await planned(fixture, newsletter, ["c@list.org"]);
    await cancelImport(fixture.ctx, newsletter, second.importId);
    await imported(fixture, newsletter, ["d@list.org"]);
    const { items: imports, next } = await listImports(fixture.ctx, newsletter.id, null);
    expect(imports.map((run) => [run.number, run.state])).toEqual([
      [2, "done"],
      [1, "done"],
    ]);
    expect(next).toBe(null);
    expect((await listImports(fixture.ctx, newsletter.id, 2)).items.map((run) => run.number)).toEqual([1]);
  });
});

describe("a plan that the list has outrun", () => {
  const outdated = async (
    rows: Parameters<typeof planned>[2],
    meanwhile: () => Promise<unknown>,
    options?: Parameters<typeof planned>[3],
  ) => {
    const made = await planned(fixture, newsletter, rows, options);
    await meanwhile();
    const before = await list();
    await commit(fixture, newsletter, made);
    const run = await ended(fixture, newsletter, made.importId);
    expect(run.state).toBe("outdated");
    expect(await list()).toEqual(before);
    expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    expect(await acts("import.done")).toEqual([]);
    await expectExactCounts();
    return { changed: run.changed, changes: run.changes };
  };
  const subscriber = () => fixture.db.subscriber;
  const only = () => ({ newsletterId: newsletter.id });

  it("says who joined", async () => {
    expect(
      await outdated(["ada@list.org", "bob@list.org"], () => fixture.add(newsletter.id, "bob@list.org")),
    ).toEqual({
      changed: 1,
      changes: [{ line: 2, email: "bob@list.org", was: "new_active", is: "already_active" }],
    });
  });

  it("says who left, who was erased, who confirmed", async () => {
    for (const email of ["left@list.org", "erased@list.org"]) await fixture.add(newsletter.id, email);
    await fixture.add(newsletter.id, "confirmed@list.org", { status: "pending" });
    const rows = ["left@list.org", "erased@list.org", "confirmed@list.org", "new@list.org"];
    const found = await outdated(rows, async () => {
      await subscriber().updateMany({
        where: { ...only(), email: "left@list.org" },
        data: { status: "unsubscribed", unsubscribedAt: new Date() },
      });
      await subscriber().deleteMany({ where: { ...only(), email: "erased@list.org" } });
      await subscriber().updateMany({
        where: { ...only(), email: "confirmed@list.org" },
        data: { status: "active" },
      });
    });
    expect(found).toEqual({
      changed: 3,
      changes: [
        { line: 1, email: "left@list.org", was: "already_active", is: "unsubscribed" },
        { line: 2, email: "erased@list.org", was: "already_active", is: "new_active" },
        { line: 3, email: "confirmed@list.org", was: "already_pending", is: "already_active" },
      ],
    });
  });

  it("says who must not be mailed any more", async () => {
    const found = await outdated(
      ["ada@list.org"],
      () => suppressAddress(fixture.db, newsletter.id, { email: "ada@list.org", reason: "denied" }),
      { statusRule: "pending" },
    );
    expect(found.changes).toEqual([{ line: 1, email: "ada@list.org", was: "new_pending", is: "suppressed" }]);
  });

  it("names the first hundred, by line, and counts them all", async () => {
    const rows = people(130);
    const found = await outdated(rows, async () => {
      for (const email of rows) await fixture.add(newsletter.id, email);
    });
    expect(found.changed).toBe(130);
    expect(found.changes.map((change) => change.line)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  it.each([
    ["stays", "outdated"],
    ["goes again", "done"],
  ] as const)("meets somebody who is just joining: when they %s, it is %s", async (end, state) => {
    const made = await planned(fixture, newsletter, people(2_500));
    const letGo = await hold("person9@lovelace.org", end === "stays");
    await commit(fixture, newsletter, made);
    await waitForLock();
    await letGo();
    const run = await ended(fixture, newsletter, made.importId);
    expect(run.state).toBe(state);
    expect(await list()).toHaveLength(state === "done" ? 2_500 : 1);
    if (state === "outdated") {
      expect(run.changes).toEqual([
        { line: 10, email: "person9@lovelace.org", was: "new_active", is: "already_active" },
      ]);
    }
    await expectExactCounts();
  });
});

describe("two imports at once", () => {
  it("of the same list: one is carried out, the other hears that it is outdated", async () => {
    const rows = people(800).map((email) => ({ email, status: "pending" as const }));
    const [one, two] = [await planned(fixture, newsletter, rows), await planned(fixture, newsletter, rows)];
    const second = openImportRunner();
    await Promise.all([commit(fixture, newsletter, one), commit(fixture, newsletter, two, second)]);
    const states = [
      (await ended(fixture, newsletter, one.importId)).state,
      (await ended(fixture, newsletter, two.importId)).state,
    ];
    await second.stop();
    expect(states.sort()).toEqual(["done", "outdated"]);
    expect(await list()).toHaveLength(800);
    expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(800);
    await expectExactCounts();
  });

  it("of other people: both are carried out, in two processes, with creates of the same people beside them", async () => {
    const lists = [people(1_500, "left"), people(1_500, "right")];
    const made = [];
    for (const rows of lists) made.push(await planned(fixture, newsletter, rows));
    const second = openImportRunner();
    const origin = { newsletterId: newsletter.id, source: "api", sourceId: null } as const;
    const [one, two] = made as [(typeof made)[0], (typeof made)[0]];
    await Promise.all([commit(fixture, newsletter, one), commit(fixture, newsletter, two, second)]);
    const answers = await Promise.all(
      [...people(40, "beside"), ...people(40, "left").map((email) => email.toUpperCase())].map((email) =>
        createSubscriber(fixture.ctx, origin, NewSubscriber.parse({ email })).then(
          () => "added",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    const ends = [
      await ended(fixture, newsletter, one.importId),
      await ended(fixture, newsletter, two.importId),
    ];
    await second.stop();
    expect(answers.slice(0, 40)).toEqual(Array(40).fill("added"));
    expect(ends[1]?.state).toBe("done");
    const rightful = ends[0]?.state === "done" ? "email_already_subscribed" : "added";
    // Whoever came first has each of them; a list that lost one of them is outdated as a whole.
    if (rightful === "email_already_subscribed") expect(answers.slice(40)).toEqual(Array(40).fill(rightful));
    else expect(ends[0]?.state).toBe("outdated");
    const expected =
      40 +
      1_500 +
      (ends[0]?.state === "done" ? 1_500 : answers.slice(40).filter((a) => a === "added").length);
    expect(await list()).toHaveLength(expected);
    await expectExactCounts();
  });
});

describe("an import's end before its time", () => {
  it("cancelled half-way leaves nothing", async () => {
    const made = await planned(fixture, newsletter, people(6_000), { statusRule: "pending" });
    const letGo = await hold("person5@lovelace.org");
    await commit(fixture, newsletter, made);
    const run = await cancelImport(fixture.ctx, newsletter, made.importId);
    expect(run.state).not.toBe("done");
    await letGo();
    expect(await ended(fixture, newsletter, made.importId)).toMatchObject({
      state: "cancelled",
      progress: { done: 0 },
    });
    expect(await list()).toEqual([]);
    expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    expect(await acts("import.cancelled")).toHaveLength(1);
    await expectExactCounts();
  });

  it("cannot be cancelled once it is done, and says so", async () => {
    const run = await imported(fixture, newsletter, people(3));
    expect((await cancelImport(fixture.ctx, newsletter, run.id)).state).toBe("done");
    expect(await acts("import.cancelled")).toEqual([]);
  });

  it("stopped with its server adds nobody, and the next server does it from the beginning", async () => {
    const runner = openImportRunner();
    const made = await planned(fixture, newsletter, people(3_000));
    const letGo = await hold("person5@lovelace.org");
    await commit(fixture, newsletter, made, runner);
    await waitForLock();
    const stopped = runner.stop();
    await letGo();
    await stopped;
    expect((await getImport(fixture.ctx, newsletter.id, made.importId)).state).toBe("running");
    expect(await list()).toEqual([]);
    fixture.runner.start(fixture.ctx, made.importId);
    expect((await ended(fixture, newsletter, made.importId)).state).toBe("done");
    expect(await list()).toHaveLength(3_000);
    await expectExactCounts();
  });

  it("comes to nothing in a process that was given up: the one that goes on does it once", async () => {
    const made = await planned(fixture, newsletter, people(3_000));
    const letGo = await hold("person5@lovelace.org");
    await commit(fixture, newsletter, made);
    await waitForLock();
    const second = openImportRunner();
    second.start(fixture.ctx, made.importId);
    await letGo();
    await Promise.all([fixture.runner.idle(), second.idle()]);
    expect((await getImport(fixture.ctx, newsletter.id, made.importId)).state).toBe("done");
    expect(await list()).toHaveLength(3_000);
    expect(await acts("import.done")).toHaveLength(1);
    await expectExactCounts();
  });

  it("is failed after too many attempts, and says that nobody was added", async () => {
    const made = await planned(fixture, newsletter, people(3));
    const consent = { source: "x", wording: "", people: 3 };
    await beginImport(fixture.ctx, newsletter.id, { ...made, consent });
    const job = workJob(fixture.ctx, { id: made.importId });
    await runWork(fixture.ctx, job, { closing: new AbortController().signal, retries: 8 });
    expect(await getImport(fixture.ctx, newsletter.id, made.importId)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("No people were added"),
    });
    expect(await list()).toEqual([]);
  });
});
