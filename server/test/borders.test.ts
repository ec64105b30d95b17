import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { projectRoot } from "../kernel/project-root";
import { layerChart, readImports, whyForbidden } from "./borders";

test("no file imports across a border", () => {
  const imports = readImports(projectRoot());
  expect(imports.length).toBeGreaterThan(3_000);
  const wrong = imports.flatMap((one) => {
    const why = whyForbidden(one);
    return why === null ? [] : `${one.from} → ${one.to}: ${why}`;
  });
  expect(wrong.join("\n")).toBe("");
});

describe("each rule rejects an import that breaks it", () => {
  const [mail, subscribers] = ["server/mail/outbox.ts", "server/subscribers/people.ts"];
  it.each([
    ["a higher layer", mail, subscribers, "not lower"],
    ["a type of a higher layer", mail, subscribers, "not lower", true],
    ["a module of the same layer", "server/imports/plan.ts", "server/staff/staff.ts", "not lower"],
    ["a schema from the kernel", "server/kernel/ids.ts", "server/mail/schema/mailings.ts", "not lower"],
    ["a router from its verbs", subscribers, "server/subscribers/router.ts", "higher layer of its module"],
    ["another module's queries", subscribers, "server/mail/queries/due-mails.ts", "queries are private"],
    ["Resend outside mail", subscribers, "resend", "only mail"],
    ["Redis outside the limits", subscribers, "@upstash/redis", "only platform/limits"],
    ["PostgreSQL outside the database", "server/mail/queries/due-mails.ts", "pg", "only platform/db/pg.ts"],
    [
      "Prisma's client outside queries",
      subscribers,
      "server/platform/db/generated/client",
      "generated client",
    ],
    ["a verb from a component", "components/subscribers/pager.tsx", subscribers, "components import"],
  ])("%s", (_, from, to, why, isType = false) => {
    expect(whyForbidden({ from, to, isType })).toContain(why);
  });

  it.each([
    ["a lower layer", subscribers, mail],
    ["its own queries", subscribers, "server/subscribers/queries/people-pages.ts"],
    ["shared queries of a lower layer", subscribers, "server/mail/shared-queries.ts"],
    ["another module's schema", "server/mail/outbox.ts", "server/subscribers/schema/subscriber.ts"],
    [
      "a schema from a component",
      "components/subscribers/pager.tsx",
      "server/subscribers/schema/people-list.ts",
    ],
  ])("and allows %s", (_, from, to) => {
    expect(whyForbidden({ from, to, isType: false })).toBe(null);
  });
});

test("reports a module that is in no layer", () => {
  const from = "server/new-noun/create.ts";
  expect(() => whyForbidden({ from, to: "server/mail/outbox.ts", isType: false })).toThrow(
    "server/new-noun/create.ts",
  );
});

test("CONTRIBUTING.md shows the current layers", () => {
  expect(readFileSync(join(projectRoot(), "CONTRIBUTING.md"), "utf8")).toContain(layerChart());
});
