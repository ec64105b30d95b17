import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../kernel/ids";
import { addNewsletter } from "../../test/linked-person";
import { base, database, openDatabaseForTests } from "../../test/open-database";

openDatabaseForTests({ poolSize: 1 });
let adding: Client;
let ending: Client;
let newsletterId: string;

beforeAll(async () => {
  adding = new Client({ connectionString: base.url });
  ending = new Client({ connectionString: base.url });
  await Promise.all([adding.connect(), ending.connect()]);
});
afterAll(async () => {
  await Promise.all([adding.end(), ending.end()]);
});
beforeEach(async () => {
  newsletterId = (await addNewsletter(database.db)).id;
});

let serial = 0;
const add = (of = newsletterId) =>
  adding.query(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
     VALUES ($1, $2, $3, $3, 'active', 'api')`,
    [of, newId(), `p${++serial}@lovelace.org`],
  );
const end = () => ending.query("DELETE FROM newsletters WHERE id = $1", [newsletterId]);
const refused = { code: "23503" };

describe("the newsletter of a subscriber", () => {
  it("must exist", async () => {
    await expect(add(newId())).rejects.toMatchObject(refused);
  });

  it("can't be deleted while it has subscribers", async () => {
    await add();
    await expect(end()).rejects.toMatchObject(refused);
    await adding.query("DELETE FROM subscribers WHERE newsletter_id = $1", [newsletterId]);
    expect((await end()).rowCount).toBe(1);
  });

  it("can't be deleted while a subscriber is being added, for the first time or again", async () => {
    for (const before of [0, 1]) {
      if (before === 1) {
        await add();
        await adding.query("DELETE FROM subscribers WHERE newsletter_id = $1", [newsletterId]);
      }
      await adding.query("BEGIN");
      await add();
      const deleted = expect(end()).rejects.toMatchObject(refused);
      await sleep(100);
      await adding.query("COMMIT");
      await deleted;
      await adding.query("DELETE FROM subscribers WHERE newsletter_id = $1", [newsletterId]);
    }
  });

  it("accepts no subscriber while it is being deleted", async () => {
    await add();
    await adding.query("DELETE FROM subscribers WHERE newsletter_id = $1", [newsletterId]);
    await ending.query("BEGIN");
    await end();
    const added = expect(add()).rejects.toMatchObject(refused);
    await sleep(100);
    await ending.query("COMMIT");
    await added;
  });
});
