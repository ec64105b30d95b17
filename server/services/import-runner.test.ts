import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NewSubscriber } from "../contract/subscriber";
import { countByStatus } from "../db/people";
import { newId } from "../domain/ids";
import { addNewsletter } from "../testing/linked-person";
import {
  commit,
  ended,
  type ImportFixture,
  imported,
  type Newsletter,
  openImportFixture,
  planned,
} from "./import-fixture";
import { openImportRunner } from "./import-runner";
import { begin, cancel, get, list, watch } from "./imports";
import { create } from "./subscribers";

let fixture: ImportFixture;
let newsletter: Newsletter;

beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  newsletter = await addNewsletter(fixture.db);
});

const people = (count: number, prefix = "person") =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@lovelace.org`);

const roll = async () => {
  const rows = await fixture.db.subscriber.findMany({
    where: { newsletterId: newsletter.id },
    orderBy: { emailCanonical: "asc" },
  });
  return rows.map(({ email, firstName, lastName, status, source }) =>
    [email, status, source, `${firstName} ${lastName}`.trim()].join(" | "),
  );
};

/** What the counter rows say, beside what is there. */
async function expectExactCounts() {
  const counted = await countByStatus(fixture.db, newsletter.id);
  for (const status of ["active", "pending", "unsubscribed"] as const)
    expect(counted[status]).toBe(
      await fixture.db.subscriber.count({ where: { newsletterId: newsletter.id, status } }),
    );
}

describe("a commit", () => {
  it("adds the new, mails each pending one once, and leaves the others as they are", async () => {
    await fixture.add(newsletter.id, "here@roll.org", { firstName: "Here" });
    await fixture.add(newsletter.id, "left@roll.org", { status: "unsubscribed" });
    const run = await imported(fixture, newsletter, [
      { email: "Ada@Lovelace.org", name: "Ada Lovelace" },
      { email: "grace@navy.mil", name: "Grace Hopper", status: "pending" },
      { email: "here@roll.org", name: "Somebody Else" },
      { email: "left@roll.org", status: "pending" },
    ]);
    expect(run).toMatchObject({
      state: "done",
      number: 1,
      by: "Robin",
      rows: 4,
      written: 4,
      consent: { source: "the fair", wording: "yes" },
      counts: { new_active: 1, new_pending: 1, already_active: 1, unsubscribed: 1 },
    });
    expect(await roll()).toEqual([
      "Ada@Lovelace.org | active | import | Ada Lovelace",
      "grace@navy.mil | pending | import | Grace Hopper",
      "here@roll.org | active | api | Here",
      "left@roll.org | unsubscribed | api | ",
    ]);
    const mails = await fixture.db.mail.findMany({ where: { newsletterId: newsletter.id } });
    expect(mails.map((mail) => [mail.toEmail, mail.state])).toEqual([["grace@navy.mil", "waiting"]]);
    await expectExactCounts();
  });
});
