// Compares a segment's people in the list, counts, exports, bulk actions and the API with a plain evaluation in memory that
// shares no code with the product.

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { ofNewsletter } from "../accounts/context";
import { startBulkChange } from "../bulk-actions/bulk-actions";
import { continueBulkAction } from "../bulk-actions/chunks";
import { type BulkActionRow, findBulkAction } from "../bulk-actions/queries/bulk-actions";
import { BulkChange } from "../bulk-actions/schema/bulk-changes";
import { idAt, newId } from "../kernel/ids";
import { DAY_MS } from "../kernel/time";
import { withClient } from "../platform/postgres/sessions";
import { openEditorContext } from "../test/editor-context";
import { addNewsletter } from "../test/linked-person";
import { base, database, openDatabaseForTests } from "../test/open-database";
import type { Ctx } from "./context";
import { createField } from "./fields";
import { countMatching, exportPeople, listPeople } from "./people";
import { indexNewest } from "./queries/search-index";
import type { Condition, Filter } from "./schema/filter";
import { PeopleFilterInput } from "./schema/filter";
import { peopleOrders } from "./schema/people-list";
import { createSegment, removeSegment, resolvePeopleFilter } from "./segments";
import { listSubscribers, resolveListQuery } from "./subscriber-lists";

const PEOPLE = 330;
/** SEGMENT_RUNS=1000 is a long run. */
const runs = Number(process.env.SEGMENT_RUNS || 60);
/** Half a day away from the tested days, so that no person is at an edge. */
const daysAgo = (days: number) => new Date(startedAt - days * DAY_MS);
const startedAt = Date.now();

const statuses = ["active", "pending", "unsubscribed"] as const;
const sources = ["api", "dashboard", "import"] as const;
const mailStates = [
  "waiting",
  "deferred",
  "logged",
  "sending",
  "sent",
  "failed",
  "uncertain",
  "cancelled",
] as const;
const reports = ["delayed", "delivered", "bounced", "complained"] as const;
const texts = ["Analytical Engines", "ANALYTICAL", "100%", "a_b", "Élan", "o\\k"];
const numbers = [-3, 0, 1.5, 2, 10];
const dates = ["1999-12-31", "2024-02-29", "2026-01-01"];
const choices = ["Print", "Digital"];
const tags = ["VIP", "press", "Élite"];
const names = [
  ["", ""],
  ["Ada", "Lovelace"],
  ["ÉLODIE", ""],
  ["", "a%b_c"],
  ["Zoe", "o\\k"],
] as const;
const parts = ["added", "unchanged", "still_here"] as const;

type FieldKey = "company" | "seats" | "since" | "vip" | "edition";
type NewMail = { state: (typeof mailStates)[number]; reports: (typeof reports)[number][]; days: number };
type Person = {
  id: string;
  email: string;
  status: (typeof statuses)[number];
  source: (typeof sources)[number];
  name: readonly [string, string];
  addedDays: number;
  /** The given sign-up date. */
  subscribedDays: number | null;
  confirmedDays: number | null;
  fields: Partial<Record<FieldKey, string | number | boolean>>;
  tags: string[];
  /** Oldest first. */
  mails: NewMail[];
  parts: (typeof parts)[number][];
};

const half = (max: number) => fc.nat(max).map((days) => days + 0.5);
const newPerson = fc.record({
  local: fc.constantFrom("ada", "Grace", "100%", "a_b", "Zo.E"),
  status: fc.constantFrom(...statuses),
  source: fc.constantFrom(...sources),
  name: fc.constantFrom(...names),
  addedDays: half(20),
  subscribedDays: fc.option(half(20)),
  confirmedDays: fc.option(half(20)),
  fields: fc.record(
    {
      company: fc.constantFrom(...texts),
      seats: fc.constantFrom(...numbers),
      since: fc.constantFrom(...dates),
      vip: fc.boolean(),
      edition: fc.constantFrom(...choices),
    },
    { requiredKeys: [] },
  ),
  tags: fc.subarray(tags),
  mails: fc.array(
    fc.record({ state: fc.constantFrom(...mailStates), reports: fc.subarray([...reports]), days: half(20) }),
    { maxLength: 3 },
  ),
  parts: fc.oneof(
    { weight: 4, arbitrary: fc.constant<("unchanged" | "still_here")[]>([]) },
    fc.subarray(["unchanged", "still_here"] as const),
  ),
});

/** Values for conditions: existing values, parts of them in another case, and values that no person has. */
const text = fc.constantFrom(
  "a",
  "A_B",
  "100%",
  "LAN",
  "élan",
  "engines",
  "o\\K",
  "analytical",
  "_",
  "nobody",
);
const textTests = ["contains", "is", "starts_with", "ends_with", "set", "not_set"] as const;
const moment = half(20).map((days) => new Date(daysAgo(days).getTime() + DAY_MS / 2).toISOString());
const time = (about: "added" | "subscribed_at" | "confirmed" | "asked"): fc.Arbitrary<Condition> =>
  fc.record({
    about: fc.constant(about),
    test: fc.constantFrom("after", "before", "within_days", "over_days_ago", "set", "not_set"),
    at: moment,
    days: fc.integer({ min: 1, max: 20 }),
  }) as fc.Arbitrary<Condition>;
const field = (key: FieldKey, value: fc.Arbitrary<string | number | boolean>, tests: readonly string[]) =>
  fc.record({
    about: fc.constant("field" as const),
    key: fc.constant(key),
    test: fc.constantFrom(...tests),
    value,
  }) as fc.Arbitrary<Condition>;
const some = <T extends string>(about: string, values: readonly T[]) =>
  fc.record({
    about: fc.constant(about),
    is: fc.subarray([...values], { minLength: 1 }),
  }) as unknown as fc.Arbitrary<Condition>;
const compared = ["is", "at_least", "at_most", "set", "not_set"] as const;
const aboutText = (about: "email" | "name") =>
  fc.record({
    about: fc.constant(about),
    test: fc.constantFrom(...textTests),
    value: text,
  }) as fc.Arbitrary<Condition>;
const importId = newId();
const condition: fc.Arbitrary<Condition> = fc.oneof(
  some("status", statuses),
  some("source", sources),
  text.map((value) => ({ about: "search" as const, value })),
  aboutText("email"),
  aboutText("name"),
  some("tag", ["vip", "PRESS", "élite", "nobody's"]),
  field("company", text, textTests),
  field("company", fc.constantFrom(...texts, "100%", "ÉLAN"), ["is", "equals"]),
  field("seats", fc.constantFrom(...numbers, 1, 1e9), compared),
  field("since", fc.constantFrom(...dates, "2025-01-01"), compared),
  field("vip", fc.boolean(), ["is", "set", "not_set"]),
  field("edition", fc.constantFrom("Print", "digital"), ["is", "set", "not_set"]),
  fc.constantFrom(...parts).map((part) => ({ about: "import" as const, id: importId, part })),
  time("added"),
  time("subscribed_at"),
  time("confirmed"),
  time("asked"),
  some("mail", ["waiting", "sent", "delivered", "bounced", "complained", "failed"]),
);
const filters: fc.Arbitrary<Filter> = fc
  .record({
    match: fc.constantFrom("all" as const, "any" as const),
    conditions: fc.array(condition, { maxLength: 3 }),
    not: fc.array(condition, { maxLength: 3 }),
  })
  .filter(({ conditions, not }) => conditions.length + not.length > 0);

/** Answers the same question in memory. */
function compareText(test: string, stored: string | undefined, wanted: unknown): boolean {
  if (test === "set") return stored !== undefined;
  if (test === "not_set") return stored === undefined;
  if (stored === undefined) return false;
  const [a, b] = [stored.toLowerCase(), String(wanted).toLowerCase()];
  if (test === "is") return a === b;
  if (test === "contains") return a.includes(b);
  return test === "starts_with" ? a.startsWith(b) : a.endsWith(b);
}

function compareTime(one: Extract<Condition, { at?: unknown }>, days: number | null): boolean {
  if (one.test === "set") return days !== null;
  if (one.test === "not_set") return days === null;
  if (days === null) return false;
  if (one.test === "within_days") return days <= (one.days as number);
  if (one.test === "over_days_ago") return days > (one.days as number);
  const at = Date.parse(one.at as string);
  return one.test === "after" ? daysAgo(days).getTime() >= at : daysAgo(days).getTime() < at;
}

function compareValue(test: string, stored: string | number | boolean | undefined, wanted: unknown): boolean {
  if (test === "set") return stored !== undefined;
  if (test === "not_set") return stored === undefined;
  if (stored === undefined) return false;
  const known = choices.find((choice) => choice.toLowerCase() === String(wanted).toLowerCase()) ?? wanted;
  if (test === "is") return stored === known;
  return test === "at_least" ? stored >= (wanted as typeof stored) : stored <= (wanted as typeof stored);
}

/** Of the last confirmation that was not cancelled. */
function askedState({ mails }: Person): string | null {
  const last = mails.filter(({ state }) => state !== "cancelled").at(-1);
  if (!last) return null;
  for (const bad of ["complained", "bounced"] as const) if (last.reports.includes(bad)) return bad;
  if (last.state === "sent") return last.reports.includes("delivered") ? "delivered" : "sent";
  return ["failed", "uncertain"].includes(last.state) ? "failed" : "waiting";
}

/** How many days ago the last one was sent. */
function askedDays({ mails }: Person): number | null {
  const left = mails.filter(({ state }) => state === "sent").map(({ days }) => days);
  return left.length > 0 ? Math.min(...left) : null;
}

function isFound(search: string, { email, name }: Person): boolean {
  const wanted = search.toLowerCase();
  const fullName = name.join(" ").trim().toLowerCase();
  if (wanted.length >= 3) return [email.toLowerCase(), fullName].some((text) => text.includes(wanted));
  return [email.toLowerCase(), fullName, ...fullName.split(" ")].some((word) => word.startsWith(wanted));
}

function holds(one: Condition, person: Person): boolean {
  if (one.about === "status") return one.is.includes(person.status);
  if (one.about === "source") return one.is.includes(person.source);
  if (one.about === "search") return isFound(one.value, person);
  if (one.about === "email") return compareText(one.test, person.email, one.value);
  if (one.about === "tag")
    return one.is.some((tag) => person.tags.some((has) => has.toLowerCase() === tag.toLowerCase()));
  if (one.about === "import")
    return one.part === "added" ? person.source === "import" : person.parts.includes(one.part);
  if (one.about === "mail") return (one.is as (string | null)[]).includes(askedState(person));
  if (one.about === "added") return compareTime(one, person.addedDays);
  if (one.about === "subscribed_at") return compareTime(one, person.subscribedDays ?? person.addedDays);
  if (one.about === "confirmed") return compareTime(one, person.confirmedDays);
  if (one.about === "asked") return compareTime(one, askedDays(person));
  if (one.about !== "field")
    return compareText(one.test, person.name.join(" ").trim() || undefined, one.value);
  const stored = person.fields[one.key as FieldKey];
  if (one.test === "equals") return stored === one.value;
  return one.key === "company"
    ? compareText(one.test, stored as string | undefined, one.value)
    : compareValue(one.test, stored, one.value);
}

const isIn = ({ match, conditions, not }: Filter, person: Person): boolean => {
  const held = conditions.map((one) => holds(one, person));
  const isMatch = match === "all" || held.length === 0 ? held.every(Boolean) : held.some(Boolean);
  return isMatch && !not.some((one) => holds(one, person));
};

openDatabaseForTests();
let ctx: Ctx;
let newsletter: { id: string; accountId: string };
let people: Person[];

/** @returns the numbers of fields and tags, which differ between newsletters */
async function furnish(): Promise<Record<string, number>> {
  const { db } = database;
  const fields = [
    { key: "company", type: "text" },
    { key: "seats", type: "number" },
    { key: "since", type: "date" },
    { key: "vip", type: "boolean" },
    { key: "edition", type: "choice", choices },
  ] as const;
  for (const one of fields)
    await createField(ctx, { ...ofNewsletter(newsletter), field: { ...one, choices: [...choices] } });
  await db.tag.createMany({
    data: tags.map((name, i) => ({
      newsletterId: newsletter.id,
      number: 101 + i,
      name,
      canonical: name.toLowerCase(),
    })),
  });
  const rows = await db.field.findMany({ where: { newsletterId: newsletter.id } });
  return Object.fromEntries(rows.map(({ key, number }) => [key, number]));
}

async function write(numberOf: Record<string, number>): Promise<void> {
  const { db } = database;
  const newsletterId = newsletter.id;
  await db.subscriber.createMany({
    data: people.map(({ status, source, name, addedDays, confirmedDays, fields, tags: has, ...person }) => ({
      newsletterId,
      id: person.id,
      subscribedAt: person.subscribedDays === null ? null : daysAgo(person.subscribedDays),
      email: person.email,
      emailCanonical: person.email.toLowerCase(),
      firstName: name[0],
      lastName: name[1],
      status,
      source,
      sourceId: source === "import" ? importId : null,
      createdAt: daysAgo(addedDays),
      confirmedAt: confirmedDays === null ? null : daysAgo(confirmedDays),
      unsubscribedAt: status === "unsubscribed" ? new Date() : null,
      ...(Object.keys(fields).length > 0 && {
        fields: Object.fromEntries(Object.entries(fields).map(([key, value]) => [numberOf[key], value])),
      }),
      ...(has.length > 0 && { tags: has.map((tag) => 101 + tags.indexOf(tag)) }),
    })),
  });
  const reportedAt = (mail: NewMail, report: NewMail["reports"][number]) =>
    mail.reports.includes(report) ? new Date() : null;
  await db.mail.createMany({
    data: people.flatMap(({ id, email, mails }) =>
      mails.map((mail) => ({
        id: newId(),
        newsletterId,
        subscriberId: id,
        kind: "confirmation",
        toEmail: email,
        recipientHash: email,
        state: mail.state,
        deferredUntil: mail.state === "deferred" ? new Date() : null,
        batchId: newId(),
        batchPosition: 0,
        subject: "Confirm",
        html: "",
        text: "",
        linkExpiresAt: new Date(),
        finishedAt: daysAgo(mail.days),
        delayedAt: reportedAt(mail, "delayed"),
        deliveredAt: reportedAt(mail, "delivered"),
        bouncedAt: reportedAt(mail, "bounced"),
        bounceReason: "no such mailbox",
        complainedAt: reportedAt(mail, "complained"),
      })),
    ),
  });
  await db.importUnchanged.createMany({
    data: people.flatMap(({ id, parts: has }) =>
      has.includes("unchanged") || has.includes("still_here")
        ? [
            {
              importId,
              subscriberId: id,
              outcome: "unchanged_active",
              leaving: has.includes("still_here") ? "unsubscribed" : null,
            },
          ]
        : [],
    ),
  });
}

beforeAll(async () => {
  const { db } = database;
  ({ newsletter, ctx } = await openEditorContext(database, base.url));
  // In another newsletter the same numbers are fields of other types.
  const [ours, other] = [newsletter, await addNewsletter(db)];
  await createField(ctx, { ...ofNewsletter(other), field: { key: "first", type: "number" } });
  await createField(ctx, { ...ofNewsletter(other), field: { key: "second", type: "text" } });
  await db.subscriber.create({
    data: {
      newsletterId: other.id,
      id: newId(),
      email: "other@example.org",
      emailCanonical: "other@example.org",
      status: "active",
      source: "api",
      fields: { 1: 7, 2: "seven", 3: true, 4: "x" },
      tags: [101, 102, 103],
    },
  });
  newsletter = ours;
  const samples = fc.sample(newPerson, { seed: 20261122, numRuns: PEOPLE });
  people = samples.map(({ local, ...person }, i) => ({
    ...person,
    // An import's second half is a part of the first.
    parts: person.parts.includes("still_here") ? ["unchanged", "still_here"] : person.parts,
    id: idAt(daysAgo(person.addedDays)),
    email: `${local}${i}@Example.org`,
  }));
  await write(await furnish());
  // Half of them are in the search index; the other half are read without it.
  await withClient(base.url, (client) => indexNewest(client, newsletter.id, 0, PEOPLE / 2));
}, 60_000);

/** Compares people with the expected ones, and reports only the differences. */
function expectPeople(ids: string[], wanted: string[]): void {
  const emailOf = (id: string) => people.find((person) => person.id === id)?.email;
  expect(ids.length).toBe(new Set(ids).size);
  expect({
    missing: wanted.filter((id) => !ids.includes(id)).map(emailOf),
    extra: ids.filter((id) => !wanted.includes(id)).map(emailOf),
  }).toEqual({ missing: [], extra: [] });
}

const idsIn = (...all: Filter[]) =>
  people.filter((person) => all.every((filter) => isIn(filter, person))).map(({ id }) => id);
const inputOf = (input: z.input<typeof PeopleFilterInput>) =>
  resolvePeopleFilter(ctx, { newsletterId: newsletter.id, filter: PeopleFilterInput.parse(input) });

async function walk(filter: Awaited<ReturnType<typeof inputOf>>, order: (typeof peopleOrders)[number]) {
  const ids: string[] = [];
  let from: { after: string } | null = null;
  do {
    const page = await listPeople(ctx, { filter, order, limit: 100, from });
    ids.push(...page.items.map(({ id }) => id));
    from = page.next === null ? null : { after: page.next };
  } while (from);
  return ids;
}

describe("a segment", () => {
  it("has the same people in each order of the list, in the count, an export, the API and a check in memory", async () => {
    const seen = new Set<string>();
    const ask = fc.record({
      saved: filters,
      also: fc.option(filters),
      order: fc.constantFrom(...peopleOrders),
      search: fc.constantFrom(undefined, undefined, "a", "zo.e"),
    });
    await fc.assert(
      fc.asyncProperty(ask, async ({ saved, also, order, search }) => {
        for (const { match, conditions, not } of [saved, ...(also ? [also] : [])]) {
          for (const one of conditions) seen.add(`${match} ${one.about} ${"test" in one ? one.test : ""}`);
          for (const one of not) seen.add(`none ${one.about} ${"test" in one ? one.test : ""}`);
        }
        const segment = await createSegment(ctx, {
          ...ofNewsletter(newsletter),
          name: newId(),
          filter: saved,
          order: "newest",
          columns: null,
        });
        const searched: Filter[] = search
          ? [{ match: "all", conditions: [{ about: "search", value: search }], not: [] }]
          : [];
        const filter = await inputOf({
          segment: segment.id,
          filters: [...searched, ...(also ? [also] : [])],
        });
        const wanted = idsIn(saved, ...(also ? [also] : [])).filter(
          (id) =>
            search === undefined || isFound(search, people.find((person) => person.id === id) as Person),
        );
        expectPeople(await walk(filter, order), wanted);
        expect(await countMatching(ctx, filter)).toEqual({ people: wanted.length });
        if (search === undefined && !also) {
          const file = await exportPeople(ctx, { ...ofNewsletter(newsletter), filter, after: null });
          expectPeople(
            file.items.map(({ id }) => id),
            wanted,
          );
          const query = await resolveListQuery(ctx, {
            newsletterId: newsletter.id,
            query: { segment: segment.id },
          });
          const page = await listSubscribers(ctx, { filter: query, limit: PEOPLE, position: null });
          expectPeople(
            page.items.map(({ id }) => id),
            wanted,
          );
          expect(page.total).toBe(wanted.length);
        }
        await removeSegment(ctx, { ...ofNewsletter(newsletter), id: segment.id });
      }),
      { numRuns: runs },
    );
    // Each kind of condition, with each comparison, in each list.
    expect(seen.size).toBeGreaterThan(70);
  }, 300_000);

  it("selects exactly the people that a bulk action changes, in the background too", async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const tag = `bulk ${serial++}`;
        const change = BulkChange.parse({ kind: "tag", tags: [tag] });
        const { id } = await startBulkChange(ctx, {
          newsletterId: newsletter.id,
          change,
          target: { filter: await inputOf({ filters: [filter] }) },
        });
        const row = async () => (await findBulkAction(database.db, newsletter.id, id)) as BulkActionRow;
        while ((await row()).state === "running") await continueBulkAction(ctx, await row());
        expectPeople(
          await walk(
            await inputOf({
              filters: [{ match: "all", conditions: [{ about: "tag", is: [tag] }], not: [] }],
            }),
            "newest",
          ),
          idsIn(filter),
        );
      }),
      { numRuns: 8 },
    );
  }, 180_000);
});
