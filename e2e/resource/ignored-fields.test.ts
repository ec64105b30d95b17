import { expect, it } from "vitest";
import { ask, openApiForTests, SUBSCRIBERS, SUPPRESSIONS } from "./app";

openApiForTests();

const ADA = { email: "ada@example.org", vip: true, merge_fields: {} };
const BULK = [
  { email: "b1@example.org", vip: true },
  { email: "b2@example.org", "a b": 1, vip: false },
];
const OPT_OUT = [{ email: "out@example.org", reason: "manual", note: "by mail" }];

it("Ignored-Fields names unknown members of every body that was read; without any the header is absent", async () => {
  const send = async (...question: Parameters<typeof ask>) => {
    const { status, headers, json } = await ask(...question);
    return { ignored: [status, headers["ignored-fields"]], data: json.data };
  };
  const once = { "Idempotency-Key": "one" };
  const first = await send("POST", SUBSCRIBERS, ADA, once);
  expect(first.ignored).toEqual([201, "vip, merge_fields"]);
  expect(Object.keys(first.data)).toEqual(["id", "email", "name", "status", "created_at"]);
  for (const [ignored, ...question] of [
    [[201, "vip, merge_fields"], "POST", SUBSCRIBERS, ADA, once],
    [[422, "vip, merge_fields"], "POST", SUBSCRIBERS, ADA],
    [[201, "vip, a%20b"], "POST", `${SUBSCRIBERS}/bulk`, BULK],
    [[200, "id"], "PUT", `${SUBSCRIBERS}/${first.data.id}`, { name: "Ada", id: "mine" }],
    [[201, "note"], "POST", SUPPRESSIONS, OPT_OUT],
    [[200, "vip"], "POST", `${SUBSCRIBERS}?dry_run=true`, { email: "new@example.org", vip: true }],
    [[201, undefined], "POST", SUBSCRIBERS, { email: "plain@example.org" }],
    [[415, undefined], "POST", SUBSCRIBERS, ADA, { "Content-Encoding": "gzip" }],
  ] as [unknown, ...Parameters<typeof ask>][])
    expect((await send(...question)).ignored).toEqual(ignored);
});
