import { expect, it } from "vitest";
import { recipientHash } from "../../server/mail/recipient-hash";
import { leastOwnDomainMailsPerDay } from "../../server/mail/schema/mail-budgets";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

// Nothing delivers in this process, so emails stay as a request has queued them.
openApiForTests({ RESEND_API_KEY: "re_test", MAIL_FROM: "weekly@list.example" });

const BULK = `${SUBSCRIBERS}/bulk`;
const INCLUDE = "include=confirmation";
const pending = (email: string) => ({ email, status: "pending" });
const header = ({ headers }: { headers: Record<string, string> }) => headers["confirmation-mail"];
const midnight = () => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00+00:00`;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
const none = { state: "none", reason: null, held_until: null, requested_at: null };
const queued = { state: "queued", reason: null, held_until: null, requested_at: time };

const sentToday = (domain: string, mails: number) =>
  api.at.sql(
    "INSERT INTO mail_budgets (newsletter_id, day, domain, mails) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2, $3)",
    [tenant.newsletterId, domain, mails],
  );
const deleteMails = () => api.at.sql("DELETE FROM mails WHERE newsletter_id = $1", [tenant.newsletterId]);
const mailedNow = (email: string) =>
  api.at.sql(
    "INSERT INTO mail_throttle (recipient_hash, allowed_at) SELECT throttle_digest($1), ARRAY[now()] ON CONFLICT (recipient_hash) DO UPDATE SET allowed_at = ARRAY[now()]",
    [recipientHash(email)],
  );

it("each request that queues a confirmation says so, and no other request does", async () => {
  const created = await ask("POST", SUBSCRIBERS, pending("ada@small.example"));
  expect([created.status, header(created)]).toEqual([201, "queued"]);
  const path = `${SUBSCRIBERS}/${created.json.data.id}`;
  expect(header(await ask("POST", SUBSCRIBERS, { email: "active@small.example" }))).toBeUndefined();
  expect(
    header(await ask("POST", `${SUBSCRIBERS}?dry_run=true`, pending("dry@small.example"))),
  ).toBeUndefined();
  expect(header(await ask("POST", SUBSCRIBERS, pending("ada@small.example")))).toBeUndefined();
  const again = () => ask("POST", `${SUBSCRIBERS}?on_duplicate=update`, pending("ada@small.example"));
  // Her first email is still queued.
  expect(header(await again())).toBeUndefined();
  expect(header(await ask("POST", `${path}/confirmation`))).toBeUndefined();
  await deleteMails();
  expect(header(await again())).toBe("queued");
  await deleteMails();
  expect(header(await ask("POST", `${path}/confirmation`))).toBe("queued");
  expect(header(await ask("PATCH", path, { name: "Ada" }))).toBeUndefined();
  expect(header(await ask("PATCH", path, { email: "ada@other.example" }))).toBe("queued");
  await ask("DELETE", path);
  expect(header(await ask("PUT", path, { status: "pending" }))).toBe("queued");
  await ask("DELETE", path);
  expect(header(await ask("POST", `${path}/confirmation`))).toBe("queued");
});

it("names the limit that holds the email, and until when", async () => {
  await sentToday("@small.example", leastOwnDomainMailsPerDay - 1);
  expect(header(await ask("POST", SUBSCRIBERS, pending("fits@small.example")))).toBe("queued");
  const over = await ask("POST", `${SUBSCRIBERS}?${INCLUDE}`, pending("over@small.example"));
  expect(header(over)).toBe(`held; reason=own_domain_day; until=${midnight()}`);
  expect(over.json.data.confirmation).toEqual({
    ...{ state: "held", reason: "own_domain_day", held_until: midnight() },
    requested_at: over.json.data.created_at,
  });
  expect(header(await ask("POST", SUBSCRIBERS, pending("else@other.example")))).toBe("queued");

  await mailedNow("throttled@x.example");
  const throttled = header(await ask("POST", SUBSCRIBERS, pending("throttled@x.example")));
  const [, until = ""] = /^held; reason=person_minute; until=(.*)$/.exec(throttled ?? "") ?? [];
  expect(Math.abs(Date.parse(until) - Date.now() - 60_000)).toBeLessThan(30_000);

  await api.at.sql("UPDATE newsletters SET mails_per_day = 1 WHERE id = $1", [tenant.newsletterId]);
  expect(header(await ask("POST", SUBSCRIBERS, pending("late@gmail.com")))).toBe(
    `held; reason=newsletter_day; until=${midnight()}`,
  );
  await api.at.sql("UPDATE send_pace SET paused_at = now(), paused_by = 'operator'");
  expect(header(await ask("POST", SUBSCRIBERS, pending("paused@gmail.com")))).toBe("held; reason=paused");
  await api.at.sql("UPDATE send_pace SET paused_at = NULL, paused_by = NULL");
});

it("a bulk counts its emails: new ones, and those of people who return", async () => {
  await sentToday("@small.example", leastOwnDomainMailsPerDay - 98);
  const left = await ask("POST", SUBSCRIBERS, { email: "left@gmail.com" });
  await ask("DELETE", `${SUBSCRIBERS}/${left.json.data.id}`);
  const people = Array.from({ length: 99 }, (_, i) => pending(`p${i}@small.example`));
  const path = `${BULK}?on_duplicate=update&${INCLUDE}`;
  const answer = await ask("POST", path, [...people, pending("left@gmail.com")]);
  expect(header(answer)).toBe("queued=99, held=1");
  const states = answer.json.data.created.map(
    (one: { confirmation: { state: string } }) => one.confirmation.state,
  );
  expect(states).toEqual([...Array(98).fill("queued"), "held"]);
  expect(answer.json.data.updated).toMatchObject([{ status: "pending", confirmation: queued }]);
  expect(header(await ask("POST", BULK, [{ email: "active@gmail.com" }]))).toBeUndefined();
  expect(header(await ask("POST", BULK, [pending("one@gmail.com")]))).toBe("queued=1, held=0");
});

it("include=confirmation shows the newest email in every answer with a person", async () => {
  const { json } = await ask("POST", `${SUBSCRIBERS}?${INCLUDE}`, {
    ...pending("ada@lovelace.org"),
    tags: ["a"],
  });
  const { id } = json.data;
  expect(json.data.confirmation).toEqual(queued);
  const path = `${SUBSCRIBERS}/${id}`;
  const plain = (await ask("GET", path)).json.data;
  expect(plain).not.toHaveProperty("confirmation");
  const full = (await ask("GET", `${path}?include=tags,confirmation`)).json.data;
  expect(full).toEqual({ ...plain, tags: ["a"], confirmation: queued });
  expect((await ask("PATCH", `${path}?${INCLUDE}`, { name: "Ada" })).json.data.confirmation).toEqual(queued);
  const active = await ask("POST", `${SUBSCRIBERS}?${INCLUDE}`, { email: "active@lovelace.org" });
  expect(active.json.data.confirmation).toEqual(none);
  // Transactions of other tests may delay a change.
  const change = async () => {
    const { data } = (await ask("GET", `/api/v1/changes?${INCLUDE}`)).json;
    return data.find((one: { subscriber_id: string }) => one.subscriber_id === id)?.subscriber.confirmation;
  };
  await expect.poll(change, { timeout: 30_000 }).toEqual(queued);

  const page = (await ask("GET", `${SUBSCRIBERS}?sort=email&${INCLUDE}`)).json.data;
  expect(page.map((one: { confirmation: unknown }) => one.confirmation)).toEqual([none, queued]);
  const streamed = (accept: string) =>
    ask("GET", `${SUBSCRIBERS}?sort=email&include=tags,confirmation`, undefined, { Accept: accept });
  const lines = (await streamed("application/x-ndjson")).text.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).confirmation)).toEqual([none, queued]);
  const csv = (await streamed("text/csv")).text.trim().split("\r\n");
  const columns = "state reason held_until requested_at".split(" ").map((name) => `"confirmation.${name}"`);
  expect(csv[0]).toMatch(new RegExp(`"tags",${columns.join(",")}$`));
  expect([csv[1], csv[2]]).toEqual([
    expect.stringMatching(/"","none","","",""$/),
    expect.stringMatching(/"a","queued","","","\d{4}-[^"]+\+00:00"$/),
  ]);

  await api.at.sql("UPDATE mails SET state = 'cancelled', finished_at = now() WHERE subscriber_id = $1", [
    id,
  ]);
  const left = (await ask("DELETE", `${path}?${INCLUDE}`)).json.data;
  expect(left.confirmation).toEqual({ ...queued, state: "cancelled" });
  expect((await ask("DELETE", `${path}?erase=true&${INCLUDE}`)).json.data.confirmation.state).toBe(
    "cancelled",
  );
  expect((await ask("GET", `${SUBSCRIBERS}?include=confirmations`)).status).toBe(400);
});

it("a repeat with an Idempotency-Key queues no email and has no header", async () => {
  const send = () =>
    api.ask(tenant.key, "POST", `${SUBSCRIBERS}?${INCLUDE}`, {
      json: pending("ada@lovelace.org"),
      headers: { "Idempotency-Key": "one" },
    });
  const first = await send();
  expect(header(first)).toBe("queued");
  const repeat = await send();
  expect([repeat.text, header(repeat), repeat.headers["idempotency-replayed"]]).toEqual([
    first.text,
    undefined,
    "true",
  ]);
});
