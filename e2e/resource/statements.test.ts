import pg from "pg";
import { expect, it, vi } from "vitest";
import { ask, openApiForTests, SUBSCRIBERS } from "./app";

openApiForTests();

type Sent = string | { text: string };

/** "INSERT mails", "SELECT subscribers" or "BEGIN" */
function kindOf(sent: Sent): string {
  const text = typeof sent === "string" ? sent : sent.text;
  const [, verb, table] = /\b(INSERT INTO|UPDATE|DELETE FROM) (?:\w+\.)?(\w+)/.exec(text) ?? [];
  if (verb) return `${verb.split(" ")[0]} ${table}`;
  return /^\s*SELECT/.test(text) ? `SELECT ${/\bFROM (\w+)/.exec(text)?.[1]}` : text;
}

const people = (count: number, status: string, name = "") =>
  Array.from({ length: count }, (_, n) => ({ email: `${status}${n}@lovelace.org`, status, name }));
const pendingPeople = [
  "BEGIN",
  "INSERT subscribers",
  "INSERT mails",
  "INSERT job_common",
  "SELECT send_pace",
  "COMMIT",
];

// On a busy machine, a measurement does not show the cost of one more statement.
it.each([
  ["an active person", "", people(1, "active")[0], ["INSERT subscribers"]],
  ["a pending person", "", people(1, "pending")[0], pendingPeople],
  ["100 active people", "/bulk", people(100, "active"), ["INSERT subscribers"]],
  ["100 pending people", "/bulk", people(100, "pending"), pendingPeople],
])("POST of %s sends no more statements than it needs", async (_, path, body, statements) => {
  // The first requests read the key and set up the jobs.
  for (const first of people(2, "pending", "first"))
    await ask("POST", SUBSCRIBERS, { ...first, email: `first.${first.email}` });
  const query = vi.spyOn(pg.Client.prototype, "query");
  const answer = await ask("POST", `${SUBSCRIBERS}${path}`, body);
  // The key is read, its use noted and requests are logged from time to time.
  const sent = query.mock.calls
    .map(([one]) => kindOf(one as unknown as Sent))
    .filter((kind) => !/ api_\w+$/.test(kind));
  query.mockRestore();
  expect([answer.status, sent]).toEqual([201, statements]);
});
