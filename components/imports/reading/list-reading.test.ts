import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Meaning } from "@/server/imports/list-parser/list-types";
import {
  anyPeople,
  anyWriters,
  applyEdits,
  email,
  plainName,
} from "@/server/imports/list-parser/testing/people";
import type { ValidateContext } from "@/server/imports/list-parser/validate-list";
import { type StatusRule, statusRules } from "@/server/imports/schema/imports";
import { defaultStatusOf } from "@/server/subscribers/status-moves";
import { ListReading } from "./list-reading";
import { groups } from "./messages";
import { oddityReasons } from "./preview-item";

const read = (text: string, context: ValidateContext = {}) =>
  new ListReading(1, { text, override: {}, fileName: null }, context);

const everyone = new Map([["ada@x.com", "active"]] as const);
const mixed = [
  "email,name,status",
  "ada@x.com,Ada,active",
  "grace@gmial.com,Grace,",
  "alan@@x.com,Alan,",
  "ADA@x.com,Ada,",
  "joan@x.com,Joan,unsubscribed",
  ",Nobody,",
  "hedy@x.com,Hedy,",
].join("\n");

describe("a reading", () => {
  it("counts every entry once, and lists entries to fix first", () => {
    const reading = read(mixed, { known: new Map([["hedy@x.com", "pending"]]) });
    const { counts, rows } = reading.summary();
    const none = { asked: 0, unsubscribed: 0, suppressed: 0, skipped: 0 };
    expect(counts).toEqual({ ...none, fix: 3, leaving: 1, twice: 1, here: 1, ready: 1 });
    expect(rows).toBe(3);
    expect(reading.items(null, 0, 10, "list").map(({ group, line }) => [group, line])).toEqual([
      ["fix", 3],
      ["fix", 4],
      ["fix", 7],
      ["leaving", 6],
      ["twice", 5],
      ["here", 8],
      ["ready", 2],
    ]);
    expect(reading.items("fix", 1, 2, "list").map(({ line }) => line)).toEqual([4]);
    expect(reading.items(null, 2, 5, "list").map(({ line }) => line)).toEqual([7, 6, 5]);
  });

  it("marks the place of each entry, in order", () => {
    const { marks } = read(mixed).summary();
    const marked = [...marks.from].map((from, index) => [
      mixed.slice(from, marks.to[index]),
      groups[marks.group[index] ?? 0],
    ]);
    expect(marked).toEqual([
      ["grace@gmial.com", "fix"],
      ["alan@@x.com", "fix"],
      ["ADA@x.com", "twice"],
      ["joan@x.com", "leaving"],
      [",Nobody,", "fix"],
    ]);
  });

  it("plans ready and listed people with their own status, and keeps the text of lines to fix", () => {
    const reading = read(mixed);
    expect(reading.rows("list")).toEqual([
      { line: 2, email: "ada@x.com", name: "Ada", status: "active" },
      { line: 6, email: "joan@x.com", name: "Joan", leaving: { reason: "unsubscribed", at: null } },
      { line: 8, email: "hedy@x.com", name: "Hedy" },
    ]);
    expect(reading.rejected().map(({ line, text }) => [line, text])).toEqual([
      [3, "grace@gmial.com,Grace,"],
      [4, "alan@@x.com,Alan,"],
      [7, ",Nobody,"],
    ]);
  });

  it("plans people who bounced according to the list, although they are active here", () => {
    const known = new Map([["joan@x.com", "active"]] as const);
    const reading = read("email,status\njoan@x.com,bounced\nada@x.com,active", { known });
    expect(reading.rows("list")[0]).toMatchObject({ leaving: { reason: "bounced" } });
  });

  it("shows odd people first, the most telling one on top, with a fix that deletes their line", () => {
    const text = "JOAN CLARKE <joan@x.com>\nAda <ada@x.com>\nSubscribed <grace@x.com>\nabuse@x.com";
    const reading = read(text);
    const items = reading.items(null, 0, 9, "list");
    expect(items.map(({ line, edits }) => [line, edits.length > 0])).toEqual([
      [3, true],
      [4, true],
      [1, true],
      [2, false],
    ]);
    expect(items[0]?.message).toBe(oddityReasons.name_is_status);
    expect(reading.items("ready", 0, 9, "list")).toEqual(items);
    expect(applyEdits(text, items[1]?.edits ?? [])).toBe(text.replace("\nabuse@x.com", ""));
  });

  it("follows the status rule: the list's own statuses, or one for all", () => {
    const reading = read("email,status\nada@x.com,active\ngrace@x.com,pending\njoan@x.com,");
    expect(reading.summary().ownStatuses).toEqual({ active: 1, pending: 1 });
    expect(read("email,status\nada@x.com,active", { known: everyone }).summary()).toMatchObject({
      saysStatus: true,
      ownStatuses: { active: 0, pending: 0 },
    });
    const statuses = (rule: StatusRule) => reading.items("ready", 0, 9, rule).map(({ status }) => status);
    expect(statuses("list")).toEqual(["active", "pending", "pending"]);
    expect(statuses("pending")).toEqual(["pending", "pending", "pending"]);
    expect(statuses("active")).toEqual(["active", "active", "active"]);
  });

  it("holds people back until a question is answered once for all rows", () => {
    const text =
      "email,status\nada@x.com,active\ngrace@x.com,cooling\njoan@x.com,cooling\nhedy@x.com,bounced";
    const before = read(text);
    const [question] = before.summary().questions;
    expect(question?.values.map(({ value, count, meaning }) => [value, count, meaning])).toEqual([
      ["cooling", 2, null],
      ["active", 1, "active"],
      ["bounced", 1, "bounced"],
    ]);
    expect(before.summary().counts).toMatchObject({ asked: 2, ready: 1, leaving: 1 });
    expect(before.items("asked", 0, 9, "list").map(({ status }) => status)).toEqual([null, null]);
    const counts = (meaning: Meaning) => {
      const override = { answers: { [question?.id ?? ""]: { cooling: meaning } } };
      return new ListReading(2, { text, override, fileName: null }, {}).summary().counts;
    };
    expect(counts("nothing")).toMatchObject({ asked: 0, ready: 3 });
    expect(counts("unsubscribed")).toMatchObject({ asked: 0, ready: 1, leaving: 3 });
  });

  it("plans exactly the names and statuses that the preview shows", () => {
    const context: ValidateContext = { known: new Map([["ada@x.com", "active"]]) };
    const words = fc.constantFrom("active", "pending", "unsubscribed", "bounced", "cooling", "");
    const table = fc
      .array(fc.tuple(email, plainName, words), { maxLength: 12 })
      .map((rows) => ["Email,Name,Status", ...rows.map((row) => row.join(","))].join("\n"));
    const text = fc
      .tuple(anyPeople, fc.constantFrom(...Object.values(anyWriters)))
      .map(([people, write]) => write([...people, { email: "ada@x.com", name: "ADA" }]));
    const byPlace = (one: { line: number; email: string }, other: { line: number; email: string }) =>
      one.line - other.line || (one.email < other.email ? -1 : 1);
    fc.assert(
      fc.property(fc.oneof(table, text), fc.constantFrom(...statusRules), (list, rule) => {
        const reading = read(list, context);
        const shown = reading
          .items(null, 0, 99, rule)
          .filter(({ group }) => group === "ready" || group === "leaving")
          .map(({ line, text: address, name, status }) => ({ line, email: address, name, status }));
        const planned = reading
          .rows(rule)
          .filter((row) => row.email.toLowerCase() !== "ada@x.com")
          .map(({ line, email: address, name, status = defaultStatusOf(rule), leaving }) => ({
            line,
            email: address,
            name,
            status: leaving ? "unsubscribed" : status,
          }));
        expect(shown.sort(byPlace)).toEqual(planned.sort(byPlace));
      }),
      { numRuns: 300 },
    );
  });

  it("gives the true reason for each person who is not added", () => {
    const context: ValidateContext = {
      known: new Map([["joan@x.com", "unsubscribed"]]),
      suppressed: new Set(["denied@x.com"]),
    };
    const reading = read("joan@x.com\ndenied@x.com\nada@x.com", context);
    expect(reading.items(null, 0, 2, "list").map(({ message }) => message)).toEqual([
      "Unsubscribed earlier. Only they can resubscribe, by confirming by email.",
      expect.stringContaining("wasn’t me"),
    ]);
    // The plan includes and counts people who unsubscribed here. The list's own statement is for the page alone.
    expect(reading.rows("list")).toHaveLength(3);
  });

  it("rejects only one person of a line with several people", () => {
    expect(read("ada@x.com, grace@@x.com, alan@x.com").rejected()).toMatchObject([{ text: "grace@@x.com" }]);
  });

  it("fixes one address or a whole domain, and deletes the first, last or only line", () => {
    const text = "a@gmial.com\nTel. 555 1234\nb@gmial.com\n555 4321";
    const reading = read(text);
    const [one, second, , last] = reading.items("fix", 0, 4, "list");
    expect(applyEdits(text, one?.edits ?? [])).toBe(text.replace("a@gmial", "a@gmail"));
    expect(applyEdits(text, reading.domainEdits("gmial.com"))).toBe(text.replaceAll("gmial", "gmail"));
    expect(applyEdits(text, second?.edits ?? [])).toBe("a@gmial.com\nb@gmial.com\n555 4321");
    expect(applyEdits(text, last?.edits ?? [])).toBe("a@gmial.com\nTel. 555 1234\nb@gmial.com");
    expect(applyEdits("Hello", read("Hello").items("fix", 0, 1, "list")[0]?.edits ?? [])).toBe("");
  });

  it("counts people who were kept although they look mistyped", () => {
    const kept = new Set(["@gmial.com", "d@outlok.com"]);
    const { counts, kept: number } = read(
      "a@gmial.com\nb@gmial.com\nada@x.com\nc@hotmial.com\nd@outlok.com",
      { kept },
    ).summary();
    expect(counts).toMatchObject({ ready: 4, fix: 1 });
    expect(number).toBe(3);
  });
});
