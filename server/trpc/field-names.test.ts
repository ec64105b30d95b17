import type { inferRouterOutputs } from "@trpc/server";
import { beforeAll, expect, expectTypeOf, test } from "vitest";
import { newId } from "../kernel/ids";
import { type Sendable, transformer } from "../kernel/trpc-transformer";
import { OWNER, opened, openHttpAppForTests } from "../test/http-app";
import { openBrowser } from "../test/staff-browser";
import { handleTrpc } from "./handler";
import type { AppRouter } from "./router";

// Newsletters made before such keys were refused may have them.
const keys = [...Object.getOwnPropertyNames(Object.prototype), "prototype"];
const values = keys.map((key, i) => [key, `value ${i}`]);

openHttpAppForTests();
let browser: ReturnType<typeof openBrowser>;
beforeAll(async () => {
  browser = openBrowser(opened.app);
  await browser.signIn(OWNER.email, OWNER.password);
});

/** The answer of a procedure, as the dashboard reads it. */
async function call(method: "GET" | "POST", procedure: string, input: object) {
  const { app, newsletterId } = opened;
  const text = JSON.stringify({ json: { newsletterId, ...input } });
  const query = method === "GET" ? `?input=${encodeURIComponent(text)}` : "";
  const length = String(Buffer.byteLength(text));
  const request = new Request(`${app.appUrl}/api/trpc/${procedure}${query}`, {
    method,
    ...(method === "POST" && { body: text }),
    headers: browser.headers({
      "Content-Type": "application/json",
      Origin: app.appUrl,
      ...(method === "POST" && { "Content-Length": length }),
    }),
  });
  const response = await handleTrpc(app, request, null);
  const answer = await response.json();
  expect([procedure, response.status, answer.error]).toEqual([procedure, 200, undefined]);
  return transformer.output.deserialize(answer.result.data) as never;
}

test("an answer arrives with its dates, and with any text", () => {
  type Answers = inferRouterOutputs<AppRouter>;
  expectTypeOf<Answers>().toExtend<Sendable<Answers>>();
  const at = new Date("2026-06-11T17:04:31.123Z");
  const answer = { at, list: [at, null, 1], texts: ["@", "@2026-06-11T17:04:31Z", "@@", "a@b.example", ""] };
  const sent = JSON.stringify(transformer.output.serialize(answer));
  expect(transformer.output.deserialize(JSON.parse(sent))).toEqual(answer);
});

test("a person with a field for each name of Object.prototype is listed, opened and exported", async () => {
  const { app, newsletterId } = opened;
  const id = newId();
  await app.db.field.createMany({
    data: keys.map((key, i) => ({ newsletterId, number: i + 1, key, label: key, type: "text", position: i })),
  });
  await app.db.subscriber.create({
    data: {
      newsletterId,
      id,
      email: "ada@lovelace.org",
      emailCanonical: "ada@lovelace.org",
      firstName: "Ada",
      lastName: "",
      status: "active",
      source: "api",
      fields: Object.fromEntries(values.map(([, value], i) => [i + 1, value])),
    },
  });
  type Person = { fields: Record<string, string> };
  const filter = {};
  const page: { items: Person[] } = await call("GET", "people.page", { filter, order: "newest", from: null });
  const one: { person: Person } = await call("GET", "people.get", { id });
  const list: { items: Person[] } = await call("POST", "people.export", { filter, after: null });
  const chosen: Person[] = await call("POST", "people.exportChosen", { ids: [id] });
  const everything: { person: Person } = await call("POST", "people.exportPerson", { id });
  for (const person of [page.items[0], one.person, list.items[0], chosen[0], everything.person])
    expect(Object.entries(person?.fields ?? {})).toEqual(values);
});
