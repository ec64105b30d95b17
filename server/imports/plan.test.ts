import { describe, expect, it } from "vitest";
import { fixture, listOf, newsletter, openFixtureForTests, planned } from "../test/import-fixture";
import { addNewsletter, suppressAddress } from "../test/linked-person";
import { getImport } from "./imports";
import { planImport } from "./plan";
import { noOutcomes } from "./schema/import-counts";
import { entriesOfKnownAddresses } from "./schema/known-addresses";

openFixtureForTests();

async function addSubscribers() {
  const { add, db } = fixture;
  const other = await addNewsletter(db);
  await add(other.id, "new@list.org", { status: "unsubscribed" });
  await add(newsletter.id, "active@list.org");
  await add(newsletter.id, "pending@list.org", { status: "pending" });
  await add(newsletter.id, "left@list.org", { status: "unsubscribed" });
  await add(newsletter.id, "denied@list.org", { status: "pending" });
  for (const email of ["denied@list.org", "never@list.org"])
    await suppressAddress(db, newsletter.id, { email, reason: "denied" });
}

const everybody = [
  "new@list.org",
  "active@list.org",
  "pending@list.org",
  "left@list.org",
  "denied@list.org",
  "never@list.org",
];

const outcomes = async (importId: string) => {
  const rows = await fixture.db.importRow.findMany({ where: { importId } });
  return Object.fromEntries(rows.map((row) => [row.emailCanonical, row.outcome]));
};

describe("planning", () => {
  it.each([
    ["list", undefined, "new_pending"],
    ["active", undefined, "new_active"],
    ["active", "pending", "new_pending"],
    ["pending", undefined, "new_pending"],
    ["pending", "active", "new_active"],
  ] as const)(
    "with the rule %s and row status %s, makes new people %s and changes nobody",
    async (statusRule, own, expected) => {
      await addSubscribers();
      const rows = everybody.map((email) => ({ email, ...(own && { status: own }) }));
      const made = await planned(rows, { statusRule });
      expect(
        (await getImport(fixture.ctx, { newsletterId: newsletter.id, importId: made.importId })).statusRule,
      ).toBe(statusRule);
      expect(await outcomes(made.importId)).toEqual({
        "new@list.org": expected,
        "active@list.org": "already_active",
        "pending@list.org": "already_pending",
        "left@list.org": "unsubscribed",
        "denied@list.org": "suppressed",
        "never@list.org": "suppressed",
      });
      expect(made.counts).toEqual({
        ...noOutcomes,
        [expected]: 1,
        already_active: 1,
        already_pending: 1,
        unsubscribed: 1,
        suppressed: 2,
      });
      expect(new Map(entriesOfKnownAddresses(made.known))).toEqual(
        new Map([
          ["active@list.org", "active"],
          ["pending@list.org", "pending"],
          ["left@list.org", "unsubscribed"],
          ["denied@list.org", "suppressed"],
          ["never@list.org", "suppressed"],
        ]),
      );
      expect(await fixture.db.subscriber.count({ where: { newsletterId: newsletter.id } })).toBe(4);
      expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    },
  );

  it("names people who would be active but opted out under another spelling", async () => {
    await fixture.add(newsletter.id, "x@gmail.com", { status: "unsubscribed" });
    await fixture.add(newsletter.id, "ada@lovelace.org", { status: "unsubscribed" });
    const rows = [
      ...["new@list.org", "x.+1@gmail.com", "ada@lovelace.org"].map((email) => ({ email })),
      { email: "ada+pending@lovelace.org", status: "pending" as const },
      ...Array.from({ length: 6 }, (_, i) => ({ email: `Ada+${i}@lovelace.org` })),
    ];
    const made = await planned(rows);
    expect(made.counts).toEqual({ ...noOutcomes, new_active: 8, new_pending: 1, unsubscribed: 1 });
    expect(made.relatedOptOuts).toEqual({
      people: 7,
      first: ["x.+1@gmail.com", ...[0, 1, 2, 3].map((i) => `Ada+${i}@lovelace.org`)],
    });
    expect((await planned(["new@list.org"])).relatedOptOuts).toEqual({
      people: 0,
      first: [],
    });
  });

  it("rejects invalid rows, by line", async () => {
    const rows = [
      { line: 3, email: "no at sign" },
      { line: 7, email: "ada@lovelace.org" },
      { line: 12, email: "grace@navy.mil", name: "Grace\vHopper" },
      { line: 15, email: "gone@list.org", leaving: { reason: "moved" as "bounced", at: null } },
    ];
    await expect(planned(rows)).rejects.toMatchObject({
      code: "validation_error",
      errors: {
        rows: [
          expect.stringMatching(/^Line 3: /),
          expect.stringMatching(/^Line 12: The name contains a line break/),
          "Line 15: The opt-out reason must be one of unsubscribed, bounced, complained.",
        ],
      },
    });
    expect(await fixture.db.import.count({ where: { newsletterId: newsletter.id, state: "planned" } })).toBe(
      0,
    );
  });

  it("has a different digest for each plan", async () => {
    const digest = async (...given: Parameters<typeof listOf>) =>
      (await planImport(fixture.ctx, { newsletterId: newsletter.id, list: listOf(...given) })).digest;
    const digests = [
      await digest(["a@list.org"]),
      await digest(["a@list.org"]),
      await digest(["a@list.org"], { statusRule: "pending" }),
      await digest([{ email: "a@list.org", name: "A" }]),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("trusts domains that many subscribers have", async () => {
    for (let i = 0; i < 5; i++) await fixture.add(newsletter.id, `p${i}@gmial.com`);
    for (let i = 0; i < 4; i++) await fixture.add(newsletter.id, `p${i}@yaho.com`);
    const made = await planned(["new@gmial.com", "new@yaho.com"]);
    expect(made.trustedDomains).toEqual(["gmial.com"]);
  });
});
