import { describe, expect, it } from "vitest";
import { ofNewsletter } from "../accounts/context";
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
  storedPeople,
  waitForLock,
} from "../test/import-fixture";
import { addNewsletter, suppressAddress } from "../test/linked-person";
import { workJob } from "../work/add-work";
import { runWork } from "../work/run-work";
import { beginImport, cancelImport, getImport, listImports } from "./imports";
import { planForStaff } from "./plan";

openFixtureForTests();

const importOf = (importId: string) => getImport(fixture.ctx, { newsletterId: newsletter.id, importId });

const people = (count: number, prefix = "person") =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@lovelace.org`);

const list = async () =>
  (await storedPeople()).map(({ email, firstName, lastName, status, source }) =>
    [email, status, source, `${firstName} ${lastName}`.trim()].join(" | "),
  );

async function expectExactCounts() {
  const counted = await countByStatus(fixture.db, newsletter.id);
  for (const status of ["active", "pending", "unsubscribed"] as const)
    expect(counted[status]).toBe(
      await fixture.db.subscriber.count({ where: { newsletterId: newsletter.id, status } }),
    );
}

const auditEntries = async (action: string) =>
  fixture.db.auditEntry.findMany({ where: { newsletterId: newsletter.id, action } });

/** Holds an address in another transaction, so that an import has to wait. */
const holdAddress = (email: string, stays = false) =>
  holdTransaction(
    (tx) => tx.$executeRaw`INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
      VALUES (${newsletter.id}::uuid, ${newId()}::uuid, ${email}, ${email}, 'active', 'api')`,
    stays,
  );

describe("committing a plan", () => {
  it("adds new people, emails each pending one once, and leaves subscribers unchanged", async () => {
    await fixture.add(newsletter.id, "here@list.org", { firstName: "Here" });
    await fixture.add(newsletter.id, "left@list.org", { status: "unsubscribed" });
    const run = await imported([
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

  it("queues the same confirmation as a single sign-up", async () => {
    const input = NewSubscriber.parse({ email: "Grace.Hopper+list@gmail.com", status: "pending" });
    const origin = { newsletterId: newsletter.id, source: "api", sourceId: null } as const;
    const other = await addNewsletter(fixture.db);
    await createSubscriber(fixture.ctx, { origin: { ...origin, newsletterId: other.id }, input });
    await imported([{ email: "Grace.Hopper+list@gmail.com", status: "pending" }]);
    const mailOf = ({ id }: { id: string }) =>
      fixture.db.mail.findFirstOrThrow({ where: { newsletterId: id } });
    const own = await mailOf(newsletter);
    const { id, newsletterId, subscriberId, createdAt, linkExpiresAt, urgent, ...rest } = await mailOf(other);
    expect(own).toMatchObject(rest);
    expect([own.urgent, urgent]).toEqual([false, true]);
    expect(own.linkExpiresAt.getTime()).toBe(own.createdAt.getTime() + 7 * 86_400_000);
    const person = await fixture.db.subscriber.findFirstOrThrow({ where: { newsletterId: newsletter.id } });
    // The order of the list and its dates read the time of a person from the id.
    expect(person.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const madeAt = Number.parseInt(person.id.replaceAll("-", "").slice(0, 12), 16);
    expect(Math.abs(madeAt - person.createdAt.getTime())).toBeLessThan(60_000);
  });

  it("runs once when several requests start it", async () => {
    const made = await planned(people(300));
    const runs = await Promise.all([1, 2, 3, 4].map(() => commit(made)));
    expect(new Set(runs.map((run) => run.number))).toEqual(new Set([1]));
    expect((await ended(made.importId)).state).toBe("done");
    expect((await commit(made)).state).toBe("done");
    expect(await list()).toHaveLength(300);
  });

  it("is rejected, and starts nothing, for another digest, another number of people, or no one to add", async () => {
    await fixture.add(newsletter.id, "here@list.org");
    const made = await planned(people(3));
    const nobody = await planned(["here@list.org"]);
    const consent = { source: "the fair", wording: "", people: 3 };
    const attempt = (importId: string, digest: string, number: number) =>
      beginImport(fixture.ctx, {
        newsletterId: newsletter.id,
        importId,
        digest,
        consent: { ...consent, people: number },
      });
    await expect(attempt(made.importId, nobody.digest, 3)).rejects.toMatchObject({
      errors: { digest: [expect.stringContaining("plan has changed")] },
    });
    await expect(attempt(made.importId, made.digest, 4)).rejects.toMatchObject({
      errors: { people: [expect.stringContaining("adds 3 people, but the consent was stated for 4")] },
    });
    await expect(attempt(nobody.importId, nobody.digest, 0)).rejects.toMatchObject({
      errors: { people: [expect.stringContaining("nothing to import")] },
    });
    await expect(attempt(newId(), made.digest, 3)).rejects.toMatchObject({ code: "not_found" });
    expect((await importOf(made.importId)).state).toBe("planned");
  });

  it("numbers imports within their newsletter, without gaps for unused plans", async () => {
    const other = await addNewsletter(fixture.db);
    await imported(["a@list.org"], {}, other);
    await planned(["a@list.org"]);
    await imported(["b@list.org"]);
    const second = await planned(["c@list.org"]);
    await cancelImport(fixture.ctx, { ...ofNewsletter(newsletter), importId: second.importId });
    await imported(["d@list.org"]);
    const rows = [{ line: 1, email: "e@list.org" }];
    const list = { rows, rejected: [], fileName: null, statusRule: "list" as const, answers: {} };
    await planForStaff(fixture.ctx, { newsletterId: newsletter.id, list });
    const { items: imports, next } = await listImports(fixture.ctx, {
      newsletterId: newsletter.id,
      cursor: null,
    });
    expect(imports.map((run) => [run.number, run.state])).toEqual([
      [0, "planned"],
      [2, "done"],
      [1, "done"],
    ]);
    expect(next).toBe(null);
    expect(
      (await listImports(fixture.ctx, { newsletterId: newsletter.id, cursor: 2 })).items.map(
        (run) => run.number,
      ),
    ).toEqual([1]);
  });
});

describe("an outdated plan", () => {
  const outdated = async (rows: Parameters<typeof planned>[0], meanwhile: () => Promise<unknown>) => {
    const made = await planned(rows);
    await meanwhile();
    const before = await list();
    await commit(made);
    const run = await ended(made.importId);
    expect(run.state).toBe("outdated");
    expect(await list()).toEqual(before);
    expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    expect(await auditEntries("import.done")).toEqual([]);
    await expectExactCounts();
    return { changed: run.changed, changes: run.changes };
  };
  it("reports people who joined, unsubscribed, were erased, confirmed or were suppressed", async () => {
    for (const email of ["left@list.org", "erased@list.org"]) await fixture.add(newsletter.id, email);
    await fixture.add(newsletter.id, "confirmed@list.org", { status: "pending" });
    const rows = [
      "joined@list.org",
      "left@list.org",
      "erased@list.org",
      "confirmed@list.org",
      { email: "suppressed@list.org", status: "pending" } as const,
      "new@list.org",
    ];
    const found = await outdated(rows, async () => {
      const { subscriber } = fixture.db;
      const of = (email: string) => ({ newsletterId: newsletter.id, email });
      await fixture.add(newsletter.id, "joined@list.org");
      await subscriber.updateMany({
        where: of("left@list.org"),
        data: { status: "unsubscribed", unsubscribedAt: new Date() },
      });
      await subscriber.deleteMany({ where: of("erased@list.org") });
      await subscriber.updateMany({ where: of("confirmed@list.org"), data: { status: "active" } });
      await suppressAddress(fixture.db, newsletter.id, { email: "suppressed@list.org", reason: "denied" });
    });
    expect(found).toEqual({
      changed: 5,
      changes: [
        { line: 1, email: "joined@list.org", was: "new_active", is: "already_active" },
        { line: 2, email: "left@list.org", was: "already_active", is: "unsubscribed" },
        { line: 3, email: "erased@list.org", was: "already_active", is: "new_active" },
        { line: 4, email: "confirmed@list.org", was: "already_pending", is: "already_active" },
        { line: 5, email: "suppressed@list.org", was: "new_pending", is: "suppressed" },
      ],
    });
  });

  it("lists the first 100 changes by line and counts all", async () => {
    const rows = people(130);
    const found = await outdated(rows, async () => {
      for (const email of rows) await fixture.add(newsletter.id, email);
    });
    expect(found.changed).toBe(130);
    expect(found.changes.map((change) => change.line)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  it.each([
    ["commits", "outdated"],
    ["rolls back", "done"],
  ] as const)("waits for a concurrent create: if the create %s, the import is %s", async (end, state) => {
    const made = await planned(people(2_500));
    const release = await holdAddress("person9@lovelace.org", end === "commits");
    await commit(made);
    await waitForLock();
    await release();
    const run = await ended(made.importId);
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

it("ends as done for one of two concurrent imports of a list, and as outdated for the other", async () => {
  const rows = people(800).map((email) => ({ email, status: "pending" as const }));
  const [one, two] = [await planned(rows), await planned(rows)];
  const second = openImportRunner();
  await Promise.all([commit(one), commit(two, { runner: second })]);
  const runs = [one, two].map(({ importId }) => ended(importId));
  const states = (await Promise.all(runs)).map(({ state }) => state);
  await second.stop();
  expect(states.sort()).toEqual(["done", "outdated"]);
  expect(await list()).toHaveLength(800);
  expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(800);
  await expectExactCounts();
});

describe("an interrupted import", () => {
  it("leaves nothing when cancelled half-way", async () => {
    const made = await planned(people(6_000), { statusRule: "pending" });
    const release = await holdAddress("person5@lovelace.org");
    await commit(made);
    const run = await cancelImport(fixture.ctx, { ...ofNewsletter(newsletter), importId: made.importId });
    expect(run.state).not.toBe("done");
    await release();
    expect(await ended(made.importId)).toMatchObject({
      state: "cancelled",
      progress: { done: 0 },
    });
    expect(await list()).toEqual([]);
    expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    expect(await auditEntries("import.cancelled")).toHaveLength(1);
    await expectExactCounts();
  });

  it("cannot be cancelled after it is done", async () => {
    const run = await imported(people(3));
    expect((await cancelImport(fixture.ctx, { ...ofNewsletter(newsletter), importId: run.id })).state).toBe(
      "done",
    );
    expect(await auditEntries("import.cancelled")).toEqual([]);
  });

  it("adds no one when its server stops, and the next server starts it again", async () => {
    const runner = openImportRunner();
    const made = await planned(people(3_000));
    const release = await holdAddress("person5@lovelace.org");
    await commit(made, { runner });
    await waitForLock();
    const stopped = runner.stop();
    await release();
    await stopped;
    expect((await importOf(made.importId)).state).toBe("running");
    expect(await list()).toEqual([]);
    fixture.runner.start(fixture.ctx, made.importId);
    expect((await ended(made.importId)).state).toBe("done");
    expect(await list()).toHaveLength(3_000);
    await expectExactCounts();
  });

  it("adds people once when another process takes over", async () => {
    const made = await planned(people(3_000));
    const release = await holdAddress("person5@lovelace.org");
    await commit(made);
    await waitForLock();
    const second = openImportRunner();
    second.start(fixture.ctx, made.importId);
    await release();
    await Promise.all([fixture.runner.idle(), second.idle()]);
    expect((await importOf(made.importId)).state).toBe("done");
    expect(await list()).toHaveLength(3_000);
    expect(await auditEntries("import.done")).toHaveLength(1);
    await expectExactCounts();
  });

  it("fails after too many attempts and reports that no one was added", async () => {
    const made = await planned(people(3));
    const consent = { source: "x", wording: "", people: 3 };
    await beginImport(fixture.ctx, { newsletterId: newsletter.id, ...made, consent });
    const job = workJob(fixture.ctx, { id: made.importId });
    await runWork(fixture.ctx, { job, closing: new AbortController().signal, retries: 8 });
    expect(await importOf(made.importId)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("No people were added"),
    });
    expect(await list()).toEqual([]);
  });
});
