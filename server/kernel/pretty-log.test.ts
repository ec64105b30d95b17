import { expect, it, onTestFinished, vi } from "vitest";
import { makeLog } from "./log";
import { prettyLine } from "./pretty-log";

const line = (facts: object) =>
  JSON.stringify({ level: "warn", time: "2026-11-29T03:00:00.000Z", msg: "mail: rejected", ...facts });

it("a line has the time, level, message and other values, followed by the stacks of the error and its cause", () => {
  const text = prettyLine(line({ size: 3, batchId: "b", code: null }), false);
  expect(text).toMatch(/^\d\d:\d\d:\d\d WARN {2}mail: rejected size=3 batchId=b code=null$/);
  const err = { message: "no", stack: "Error: no\n    at a", cause: { stack: "Error: why\n    at b" } };
  expect(prettyLine(line({ err }), false).split("\n").slice(1)).toEqual([
    "    Error: no",
    "        at a",
    "    Error: why",
    "        at b",
  ]);
  expect(prettyLine(line({ err: { message: "again" } }), false)).toMatch(/err=again$/);
});

it("is coloured only on a terminal", () => {
  // Node adds no colours outside of a terminal unless they are forced.
  vi.stubEnv("FORCE_COLOR", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(prettyLine(line({}), true)).toContain("\u001b");
  expect(prettyLine(line({}), false)).not.toContain("\u001b");
});

it.each(["pretty", "json"] as const)("as %s contains no address, key or link token", (LOG_FORMAT) => {
  const lines: string[] = [];
  const written = vi
    .spyOn(process.stdout, "write")
    .mockImplementation((text) => Boolean(lines.push(String(text))));
  onTestFinished(() => void written.mockRestore());
  const log = makeLog({ LOG_LEVEL: "info", LOG_FORMAT });
  const cause = new Error(`for ada@lovelace.org with sk_${"k".repeat(32)}`);
  const facts = {
    to: "ada@lovelace.org",
    link: `/confirm/${"t".repeat(40)}`,
    err: new Error("failed", { cause }),
  };
  log.warn(facts, "said to ada@lovelace.org");
  const out = lines.join("");
  expect(out).toContain("said to a***@lovelace.org");
  if (LOG_FORMAT === "pretty") expect(out).toMatch(/^\d\d:\d\d:\d\d WARN /);
  else
    expect(JSON.parse(out)).toMatchObject({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  expect(out).not.toMatch(/ada@|sk_kkkkkk|tttt/);
});
