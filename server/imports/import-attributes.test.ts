import { expect, it } from "vitest";
import { ListReading } from "../../components/imports/reading/list-reading";
import { toCsv } from "../../components/subscribers/export";
import { ofNewsletter } from "../accounts/context";
import { listChanges } from "../events/changes";
import type { ChangePlace } from "../events/schema/changes";
import { openLinks } from "../mail/signed-links";
import { presentAttributes } from "../subscribers/attributes";
import { createField, listFields } from "../subscribers/fields";
import { exportPeople } from "../subscribers/people";
import { peopleWith } from "../subscribers/queries/people-filter";
import { listSubscriberRows } from "../subscribers/queries/subscribers";
import { listTagNames } from "../subscribers/tags";
import {
  commit,
  ended,
  fixture,
  imported,
  newsletter,
  openFixtureForTests,
  undone,
} from "../test/import-fixture";
import { addNewsletter } from "../test/linked-person";
import { planImport } from "./plan";
import type { PlanRow } from "./schema/imports";

openFixtureForTests();

const createFields = async (to = newsletter) => {
  await createField(fixture.ctx, {
    ...ofNewsletter(to),
    field: { key: "company", label: "Company", type: "text" },
  });
  await createField(fixture.ctx, {
    ...ofNewsletter(to),
    field: { key: "seats", label: "Seats", type: "number" },
  });
};

/** Plans a file as the command line and the Imports page do. */
async function planOf(text: string, to = newsletter) {
  const fields = await listFields(fixture.ctx, { newsletterId: to.id });
  const reading = new ListReading(1, { text, override: { fields }, fileName: "people.csv" }, {});
  const rows = reading.rows("list");
  return planImport(fixture.ctx, {
    newsletterId: to.id,
    list: { rows, rejected: reading.rejected(), fileName: "people.csv", statusRule: "list", answers: {} },
  });
}

async function importText(text: string, to = newsletter) {
  const plan = await planOf(text, to);
  await commit(plan, { to });
  const record = await ended(plan.importId, { to });
  expect(record.state).toBe("done");
}

async function people(of = newsletter) {
  const rows = await fixture.db.subscriber.findMany({
    where: { newsletterId: of.id },
    orderBy: { emailCanonical: "asc" },
  });
  const ids = rows.map(({ id }) => id);
  const stored = await listSubscriberRows(fixture.db, of.id, ids);
  const attributes = await presentAttributes(fixture.ctx, {
    newsletterId: of.id,
    rows: ids.flatMap((id) => stored.find((row) => row.id === id) ?? []),
    include: { fields: true, tags: true },
  });
  return rows.map(({ email, firstName, lastName, status }, i) => ({
    ...{ email, name: `${firstName} ${lastName}`.trim(), status },
    ...attributes[i],
  }));
}

it("imports fields and tags, also of unsubscribed people, and leaves existing subscribers unchanged", async () => {
  await createFields();
  await fixture.add(newsletter.id, "here@lovelace.org");
  await importText(
    [
      "email,name,status,Company,fields.seats,tags",
      'ada@lovelace.org,Ada,active,Analytical Engines,3,"VIP, new"',
      "grace@navy.mil,Grace,unsubscribed,Navy,,vip",
      "here@lovelace.org,Here,active,Nobody,9,other",
      "alan@bletchley.org,Alan,active,,,",
    ].join("\n"),
  );
  expect(await people()).toEqual([
    {
      email: "ada@lovelace.org",
      name: "Ada",
      status: "active",
      fields: { company: "Analytical Engines", seats: 3 },
      tags: ["VIP", "new"],
    },
    { email: "alan@bletchley.org", name: "Alan", status: "active", fields: {}, tags: [] },
    {
      email: "grace@navy.mil",
      name: "Grace",
      status: "unsubscribed",
      fields: { company: "Navy" },
      tags: ["VIP"],
    },
    { email: "here@lovelace.org", name: "", status: "active", fields: {}, tags: [] },
  ]);
});

it("stores no tags of a plan that is not committed", async () => {
  await planOf("email,tags\nada@lovelace.org,never\n");
  expect(await listTagNames(fixture.ctx, { newsletterId: newsletter.id })).toEqual([]);
});

it("rejects values that do not fit the newsletter's fields, by line", async () => {
  await createFields();
  const rows: PlanRow[] = [
    { line: 7, email: "ada@lovelace.org", name: "", fields: { seats: "three" } },
    { line: 9, email: "grace@navy.mil", name: "", fields: { gone: "x" } },
  ];
  const plan = planImport(fixture.ctx, {
    newsletterId: newsletter.id,
    list: { rows, rejected: [], fileName: null, statusRule: "active", answers: {} },
  });
  await expect(plan).rejects.toMatchObject({
    code: "validation_error",
    errors: {
      rows: [
        expect.stringMatching(/^Line 7: fields.seats: /),
        expect.stringMatching(/^Line 9: fields.gone: /),
      ],
    },
  });
});

// Shortened exports of the two services, with columns that the import ignores.
const mailchimp = [
  '"Email Address","First Name","Last Name","Company",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID,NOTES,TAGS',
  '"ada@lovelace.org",Ada,Lovelace,"Analytical Engines",2,"2024-03-02 09:30:00",203.0.113.7,"2024-03-02 09:31:00",203.0.113.7,1,,"""Influencer"",""VIP, gold"""',
  '"grace@navy.mil",Grace,Hopper,,2,"2023-01-05 10:00:00",,"2023-01-05 10:00:00",,2,,',
].join("\n");
const ghost = [
  "id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers",
  '1,alan@bletchley.org,Alan Turing,,true,false,,2024-01-02T03:04:05.000Z,,"VIP,Early",',
  "2,kurt@logic.at,Kurt Gödel,,false,false,,2024-01-02T03:04:05.000Z,,Early,",
].join("\n");

it("imports exports of Mailchimp and Ghost with tags, fields, opt-in times and opt-outs", async () => {
  await createFields();
  await importText(mailchimp);
  await importText(ghost);
  expect(await people()).toEqual([
    expect.objectContaining({
      email: "ada@lovelace.org",
      fields: { company: "Analytical Engines" },
      tags: ["Influencer", "VIP, gold"],
    }),
    expect.objectContaining({ email: "alan@bletchley.org", tags: ["VIP", "Early"] }),
    expect.objectContaining({ email: "grace@navy.mil", fields: {}, tags: [] }),
    expect.objectContaining({ email: "kurt@logic.at", status: "unsubscribed", tags: ["Early"] }),
  ]);
  const [event] = await fixture.db.subscriberEvent.findMany({
    where: { newsletterId: newsletter.id, kind: "created", subscriber: { email: "ada@lovelace.org" } },
  });
  expect(event?.evidence).toMatchObject({ optedInAt: "2024-03-02T09:30:00.000Z", ip: "203.0.113.7" });
});

it("exports a file that imports again unchanged", async () => {
  await createFields();
  await importText(mailchimp);
  await importText(ghost);
  await importText(
    'email,name,status,company,seats,tags\nx@lovelace.org,X,active,"=1+1; -2",-3.5,"a, ""b, c"", =d"\n',
  );
  const { items: out } = await exportPeople(fixture.ctx, {
    ...ofNewsletter(newsletter),
    filter: peopleWith(newsletter.id),
    after: null,
  });
  const expectSameAfterImport = async (text: string) => {
    const other = await addNewsletter(fixture.db);
    await createFields(other);
    await importText(text, other);
    expect(await people(other)).toEqual(await people());
  };
  await expectSameAfterImport(toCsv(out, ["company", "seats"]));
  // Another newsletter's unsubscribe links say nothing about the status of their person.
  const { items: linked } = await exportPeople(fixture.ctx, {
    ...ofNewsletter(newsletter),
    filter: peopleWith(newsletter.id),
    after: null,
    links: openLinks({
      secrets: ["a secret for tests that is long enough"],
      appUrl: "https://list.example.org",
    }),
  });
  const withLinks = toCsv(linked, ["company", "seats"]);
  expect(withLinks).toContain("https://list.example.org/unsubscribe/");
  await expectSameAfterImport(withLinks);
  expect((await people()).find(({ email }) => email === "x@lovelace.org")).toMatchObject({
    fields: { company: "=1+1; -2", seats: -3.5 },
    tags: ["a", "b, c", "=d"],
  });
});

it("reports each imported person once in the change feed, and each removal by an undo", async () => {
  const after = await waitForChanges(null, 0);
  const record = await imported(["ada@lovelace.org", "grace@navy.mil"]);
  const added = await waitForChanges(after.next, 2);
  expect(added.records.map(({ type, subscriber }) => `${type} ${subscriber?.email}`).sort()).toEqual([
    "created ada@lovelace.org",
    "created grace@navy.mil",
  ]);
  await undone(record.id);
  const gone = await waitForChanges(added.next, 2);
  expect(gone.records.map(({ type }) => type)).toEqual(["erased", "erased"]);
});

/** Waits for `count` changes after a place. Transactions of other tests may delay them. */
async function waitForChanges(after: ChangePlace | null, count: number) {
  const read = () => listChanges(fixture.ctx, { newsletterId: newsletter.id, after, limit: 100 });
  await expect.poll(async () => (await read()).records.length, { timeout: 50_000 }).toBe(count);
  return read();
}
