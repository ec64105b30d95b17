import { expect, it } from "vitest";
import { throttleKey } from "../../server/kernel/email";
import { api, ask, changeTenant, openApiForTests, SUBSCRIBERS, SUPPRESSIONS } from "./app";

const HEADER = "related-opt-out";

openApiForTests();

const create = (email: string, query = "", more: object = {}) =>
  ask("POST", `${SUBSCRIBERS}${query}`, { email, ...more });

async function unsubscribe(email: string): Promise<string> {
  const path = `${SUBSCRIBERS}/${(await create(email)).json.data.id}`;
  await ask("DELETE", path);
  return path;
}

/** The ways to opt an address out. */
const optOuts: Record<string, (email: string) => Promise<unknown>> = {
  unsubscribed: unsubscribe,
  erased: async (email) => ask("DELETE", `${await unsubscribe(email)}?erase=true`),
  "with another address since": async (email) =>
    ask("PUT", await unsubscribe(email), { email: "elsewhere@lovelace.org" }),
  complained: (email) => ask("POST", SUPPRESSIONS, [{ email, reason: "complained" }]),
};

const spellings = [
  ["x.y@gmail.com", "xy@gmail.com"],
  ["xy@gmail.com", "x.y+news@googlemail.com"],
  ["ada@lovelace.org", "ada+news@lovelace.org"],
  ["ada+news@lovelace.org", "ada+other@lovelace.org"],
] as const;

it.each(Object.keys(optOuts).flatMap((how) => spellings.map((pair) => [how, ...pair] as const)))(
  "%s as %s: a create and its dry run of %s are answered with Related-Opt-Out",
  async (how, email, other) => {
    await optOuts[how]?.(email);
    const dry = await create(other, "?dry_run=true");
    expect([dry.status, dry.headers[HEADER]]).toEqual([200, "1"]);
    const pending = await create(other, "?dry_run=true", { status: "pending" });
    expect([pending.status, pending.headers[HEADER]]).toEqual([200, undefined]);
    const created = await create(other);
    expect([created.status, created.headers[HEADER]]).toEqual([201, "1"]);
  },
);

it("counts only the added people of a bulk", async () => {
  await unsubscribe("x@gmail.com");
  await optOuts.complained?.("ada@lovelace.org");
  await create("x.x@gmail.com");
  const bulk = ["x+1@gmail.com", "ADA+x@lovelace.org", "x.x@gmail.com", "grace@navy.mil"].map((email) => ({
    email,
  }));
  for (const path of ["/bulk?on_duplicate=skip&dry_run=true", "/bulk?on_duplicate=skip"])
    expect((await ask("POST", `${SUBSCRIBERS}${path}`, bulk)).headers[HEADER]).toBe("2");
  const more = [{ email: "x+2@gmail.com" }, ...bulk];
  for (const path of ["/bulk?on_duplicate=update&dry_run=true", "/bulk?on_duplicate=update"])
    expect((await ask("POST", `${SUBSCRIBERS}${path}`, more)).headers[HEADER]).toBe("1");
  for (const query of ["?on_duplicate=update&dry_run=true", "?on_duplicate=update"])
    expect((await create("x+3@gmail.com", query)).headers[HEADER]).toBe("1");
});

it("ignores other mailboxes, other newsletters and people who confirmed again", async () => {
  await unsubscribe("x@gmail.com");
  for (const email of ["xx@gmail.com", "x@gmail.example", "+x@gmail.com"])
    expect((await create(email)).headers[HEADER], email).toBeUndefined();
  await changeTenant();
  await create("x@gmail.com");
  expect((await create("x+1@gmail.com")).headers[HEADER]).toBeUndefined();
});

it("the database groups addresses into mailboxes exactly as the email limits do", async () => {
  const canonicals = [
    ...["+a+b@gmail.com", "a+@x.org", "a.b+c.d@googlemail.com", "a+b+c@x.org", ".+@y.org"],
    ...["ada@gmail.com", "a.d.a@gmail.com", "a.b@x.org", "bob+x@xn--bcher-kva.example", "o'neil@x.org"],
  ];
  const rows = await api.at.sql(
    "SELECT mailbox_of(canonical) AS mailbox FROM unnest($1::text[]) WITH ORDINALITY AS a (canonical, n) ORDER BY n",
    [canonicals],
  );
  expect(rows.map(({ mailbox }) => mailbox)).toEqual(canonicals.map(throttleKey));
});
