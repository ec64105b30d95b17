import { Client } from "pg";
import { beforeAll, expect, it } from "vitest";
import { newId } from "../../kernel/ids";
import { addNewsletter } from "../../test/linked-person";
import { base, database, openDatabaseForTests } from "../../test/open-database";
import { openInsertQueue } from "./insert-queue";

openDatabaseForTests({ poolSize: 8 });
let newsletterId: string;

beforeAll(async () => {
  newsletterId = (await addNewsletter(database.db)).id;
});

const rowOf = (email: string) => ({
  id: newId(),
  newsletterId,
  email,
  emailCanonical: email,
  firstName: "",
  lastName: "",
  status: "active" as const,
  source: "api",
  sourceId: null,
});

/** An open transaction that has inserted these addresses, like an import. */
async function openInsertingTransaction(
  emails: string[],
): Promise<{ end(word: "COMMIT" | "ROLLBACK"): Promise<void> }> {
  const client = new Client({ connectionString: base.url });
  await client.connect();
  await client.query("BEGIN; SET LOCAL rollcall.counting = 'apart'");
  for (const email of emails)
    await client.query(
      `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
       VALUES ($1, $2, $3, $3, 'active', 'import')`,
      [newsletterId, newId(), email],
    );
  return {
    async end(word) {
      await client.query(word);
      await client.end();
    },
  };
}

it.each([
  ["COMMIT", "taken"],
  ["ROLLBACK", "added"],
] as const)(
  "only creates with a locked address wait; after %s their addresses are %s",
  async (word, validation) => {
    const queue = openInsertQueue(database.db);
    const held = Array.from({ length: 12 }, (_, i) => `held${i}.${word.toLowerCase()}@list.org`);
    const other = await openInsertingTransaction(held);
    const waiting = new Map<string, Promise<unknown>>();
    const answered: string[] = [];
    for (let i = 0; i < 60; i++) {
      const email = held[i] ?? `free${i}.${word.toLowerCase()}@list.org`;
      const answer = queue.insert(rowOf(email));
      answer.then(() => answered.push(email));
      waiting.set(email, answer);
    }
    const free = [...waiting].filter(([email]) => email.startsWith("free"));
    for (const [, answer] of free) expect(await answer).toHaveProperty("createdAt");
    // Later creates don't wait for the locked addresses either.
    expect(await queue.insert(rowOf(`later.${word.toLowerCase()}@list.org`))).toHaveProperty("createdAt");
    expect(answered.filter((email) => email.startsWith("held"))).toEqual([]);
    await other.end(word);
    for (const email of held) {
      const answer = await waiting.get(email);
      expect(answer ? "added" : "taken", email).toBe(validation);
    }
  },
);
