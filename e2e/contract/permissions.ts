import { describe, expect, it } from "vitest";
import { type Permission, permissions } from "../../server/api-keys/schema/permissions";
import { isInNewsletter, type Operation } from "../../server/rest/schema/operation";
import { operations } from "../../server/rest/schema/operations";
import { type Answer, ask, expectRejection } from "./client";
import { create, type Stage } from "./stage";

const SUPPRESSIONS = "/api/v1/suppressions";
const WEBHOOKS = "/api/v1/webhooks";
const IMPORTS = "/api/v1/imports";
/** Nothing listens there. */
const HOOK = { url: "http://127.0.0.1:9/", events: ["import.finished"] };
const PERSON = { email: "ada@example.org", name: "Ada Lovelace" };
/** Operations that reject active people. For pending people their answer depends on the pace of sending. */
const ofInactive = ["askSubscriber"];

/** A request of each operation that would succeed with the right key, and change something if it changes anything. */
const bodies: Record<string, unknown> = {
  createSubscriber: { email: "new@example.org", status: "pending" },
  createSubscribers: [{ email: "new@example.org" }, { email: "newer@example.org", status: "pending" }],
  updateSubscriber: { email: "changed@example.org", name: "Changed", status: "pending" },
  linkSubscribers: ["01a1fab8-221d-73cc-bf6f-88bbf811ce3c"],
  createField: { key: "other", type: "text" },
  updateField: { label: "Company" },
  updateTag: { name: "Customer" },
  createSuppressions: [{ email: "ada@example.org", reason: "unsubscribed" }],
  createWebhook: HOOK,
  updateWebhook: { enabled: false },
  createImport: [{ email: "new@example.org" }],
};
const all = Object.entries<Operation>(operations);
const successOf = (operation: Operation) => operation.answers[0]?.status ?? 200;

type Rejection = [status: number, code: string];
const UNAUTHORIZED: Rejection = [401, "unauthorized"];
const FORBIDDEN: Rejection = [403, "api_module_access_disabled"];
const NO_ACCESS: Rejection = [403, "api_access_disabled"];

/** Callers, and their rejection by each operation; null where they have the permission. */
const callers: Record<string, (operation: Operation) => Rejection | null> = {
  "no key": () => UNAUTHORIZED,
  ...Object.fromEntries(
    permissions.map((only) => [
      `a key with only ${only}`,
      ({ permission }: Operation) => (permission === null || permission === only ? null : FORBIDDEN),
    ]),
  ),
  "a key while API access is off": () => NO_ACCESS,
  "another newsletter's key": ({ path }) => (path.includes("{") ? [404, "not_found"] : null),
  "a key that works for all newsletters": () => null,
  "a key for all newsletters, without the newsletter in the path": ({ isAboutKey }) =>
    isAboutKey ? null : NO_ACCESS,
  "a key for all newsletters of another account": ({ isAboutKey }) => (isAboutKey ? null : NO_ACCESS),
};
const namesNewsletter = (caller: string) =>
  caller.endsWith("works for all newsletters") || caller.endsWith("of another account");

/** Every operation × every kind of key: the right code, and nothing changed by a rejection. */
export function permissionsSuite(stage: Stage): void {
  /** The data that a rejection must not change. */
  const traces = (newsletterId: string) =>
    stage.at.sql<{ all: string }>(
      `SELECT (SELECT json_agg(s ORDER BY id) FROM subscribers s WHERE newsletter_id = $1)::text
         || (SELECT count(*) FROM mails WHERE newsletter_id = $1)
         || ' ' || (SELECT count(*) FROM subscriber_events WHERE newsletter_id = $1)
         || ' ' || (SELECT count(*) FROM idempotent_answers a JOIN api_keys k ON k.id = a.api_key_id
                    WHERE k.newsletter_id = $1)
         || ' ' || (SELECT json_agg(x ORDER BY id) FROM suppressions x WHERE newsletter_id = $1)::text
         || ' ' || (SELECT coalesce(json_agg(f ORDER BY number), '[]') FROM fields f WHERE newsletter_id = $1)::text
         || ' ' || (SELECT coalesce(json_agg(t ORDER BY number), '[]') FROM tags t WHERE newsletter_id = $1)::text
         || ' ' || (SELECT count(*) FROM audit_entries WHERE newsletter_id = $1
                    AND (action LIKE 'suppression%' OR action LIKE 'webhook.%'))
         || ' ' || (SELECT coalesce(json_agg(i.state), '[]') FROM imports i WHERE newsletter_id = $1)::text
         || ' ' || (SELECT json_agg(w.secret || w.version || coalesce(w.off_reason, '') ORDER BY id)
                    FROM webhook_endpoints w WHERE newsletter_id = $1)::text
         || ' ' || (SELECT json_agg(m.state) FROM webhook_messages m JOIN webhook_endpoints w ON w.id = m.endpoint_id
                    WHERE w.newsletter_id = $1)::text
         || (SELECT json_agg(c ORDER BY status, shard) FROM subscriber_counts c WHERE newsletter_id = $1)::text AS all`,
      [newsletterId],
    );

  async function keyOf(caller: string, newsletterId: string, accountId: string): Promise<string | undefined> {
    const { at } = stage;
    if (caller === "no key") return undefined;
    if (caller === "another newsletter's key") return (await at.tenant()).key;
    if (caller.includes("for all newsletters")) {
      const of = caller.endsWith("of another account") ? await at.tenant() : { newsletterId };
      return (await at.addKey(of.newsletterId, { forAllNewsletters: true })).secret;
    }
    const only = permissions.find((permission) => caller.endsWith(` only ${permission}`));
    if (only) return (await at.addKey(newsletterId, { permissions: [only] })).secret;
    const { secret } = await at.addKey(newsletterId);
    if (caller === "a key while API access is off") await at.apiAccess(accountId, false);
    return secret;
  }

  /** Plans an import, which is done already if the operation needs that. */
  async function planImport(key: string, operationId: string): Promise<{ id: string; digest: string }> {
    const json = [{ email: "planned@example.org" }];
    const { data } = (await ask(stage.mount, { key, path: IMPORTS, json })).json;
    if (operationId === "undoImport")
      await stage.at.sql("UPDATE imports SET state = 'done', ended_at = now() WHERE id = $1", [data.id]);
    return data;
  }

  describe.each(Object.entries(callers))("%s", (caller, rejectionOf) => {
    it.each(all)("%s: the right code, and nothing changed by a rejection", async (operationId, operation) => {
      const { key, newsletterId, accountId } = await stage.at.tenant({ apart: true });
      const person = (await create(stage, key, { ...PERSON, tags: ["vip"] })).json.data;
      if (ofInactive.includes(operationId))
        await ask(stage.mount, { key, method: "DELETE", path: `/api/v1/subscribers/${person.id}` });
      await ask(stage.mount, { key, path: "/api/v1/fields", json: { key: "company", type: "text" } });
      const [suppression] = (
        await ask(stage.mount, {
          key,
          path: SUPPRESSIONS,
          json: [{ email: "out@example.org", reason: "manual" }],
        })
      ).json.data;
      const webhook = (await ask(stage.mount, { key, path: WEBHOOKS, json: HOOK })).json.data;
      await stage.at.sql(
        `WITH endpoint AS (UPDATE webhook_endpoints SET next_number = 2 WHERE id = $1)
         INSERT INTO webhook_messages (endpoint_id, number, id, type, body, state)
         VALUES ($1, 1, gen_random_uuid(), 'import.finished', '{}', 'delivered')`,
        [webhook.id],
      );
      const planned = operation.path.startsWith(`${IMPORTS}/`) && (await planImport(key, operationId));
      const nouns = [
        [SUPPRESSIONS, suppression],
        [WEBHOOKS, webhook],
        [IMPORTS, planned],
      ] as const;
      const { id } = nouns.find(([path]) => operation.path.startsWith(path))?.[1] ?? person;
      const before = await traces(newsletterId);
      const secret = await keyOf(caller, newsletterId, accountId);
      const start =
        namesNewsletter(caller) && isInNewsletter(operation) ? `/newsletters/${newsletterId}` : "";
      const path = operation.path
        .replace("/api/v1", `/api/v1${start}`)
        .replace("{id}", id)
        .replace("{key}", "company")
        .replace("{name}", "vip")
        .replace("{number}", "1");
      const answer: Answer = await ask(stage.mount, {
        method: operation.method,
        path,
        key: secret,
        json:
          operationId === "commitImport" && planned
            ? { digest: planned.digest, consent: { source: "Shop", people: 1 } }
            : bodies[operationId],
        ...(operation.idempotent && { headers: { "Idempotency-Key": "matrix" } }),
      });
      const rejection = operation.permission === "none" ? null : rejectionOf(operation);
      if (rejection) {
        expectRejection(answer, ...rejection);
        expect(answer.text).not.toMatch(/ada@|out@|127\.0\.0\.1|whsec/);
      } else {
        expect(answer.status).toBe(successOf(operation));
      }
      if (rejection || operation.method === "GET" || caller === "another newsletter's key")
        expect(await traces(newsletterId)).toEqual(before);
      const isList = operationId.startsWith("list") && !operation.isAboutKey;
      if (!rejection && caller === "another newsletter's key" && isList)
        expect([answer.json.data, answer.json.pagination?.total ?? 0]).toEqual([[], 0]);
    });
  });

  it.each<[Permission, string, Rejection | null]>([
    ["subscribers:erase", "?erase=true", null],
    ["subscribers:erase", "", FORBIDDEN],
    ["subscribers:write", "?erase=true", FORBIDDEN],
    ["subscribers:write", "?erase=false", null],
    ["subscribers:write", "?erase=false&erase=true", FORBIDDEN],
    ["subscribers:write", "?erase=TRUE", [400, "validation_error"]],
  ])("a key with only %s deletes with “%s”: %j", async (only, query, rejection) => {
    const { key, newsletterId } = await stage.at.tenant();
    const { id } = (await create(stage, key, PERSON)).json.data;
    const { secret } = await stage.at.addKey(newsletterId, { permissions: [only] });
    const path = `/api/v1/subscribers/${id}${query}`;
    const answer = await ask(stage.mount, { key: secret, method: "DELETE", path });
    if (rejection) expectRejection(answer, ...rejection);
    else expect(answer.json.data.status).toBe("unsubscribed");
    const left = await stage.at.list(newsletterId);
    expect(left.map(({ status }) => status)).toEqual(
      rejection ? ["active"] : query.endsWith("true") ? [] : ["unsubscribed"],
    );
  });

  it.each([
    ["suppressions:read", 200, 403],
    ["suppressions:write", 403, 201],
  ])("an older key with only %s keeps that half", async (stored, reads, writes) => {
    const { newsletterId } = await stage.at.tenant();
    const { id, secret: key } = await stage.at.addKey(newsletterId);
    await stage.at.sql("UPDATE api_keys SET permissions = ARRAY[$2] WHERE id = $1", [id, stored]);
    const json = [{ email: "out@example.org", reason: "manual" }];
    const asked = [{ method: "GET" }, { json }].map((one) =>
      ask(stage.mount, { ...one, key, path: SUPPRESSIONS }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([reads, writes]);
  });

  it("an unknown id and one of another newsletter get the same bytes but for the id", async () => {
    const { key } = await stage.at.tenant();
    const other = await stage.at.tenant();
    const { id } = (await create(stage, other.key, PERSON)).json.data;
    const nobody = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";
    for (const [method, json] of [["GET"], ["PUT", { name: "x" }], ["DELETE"]] as [string, unknown?][]) {
      const answers = await Promise.all(
        [id, nobody].map((one) =>
          ask(stage.mount, { key, method, json, path: `/api/v1/subscribers/${one}` }),
        ),
      );
      for (const answer of answers) expectRejection(answer, 404, "not_found");
      expect(answers[0]?.text.replace(id, "")).toBe(answers[1]?.text.replace(nobody, ""));
    }
  });
}
