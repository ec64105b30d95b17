import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Flag, html, trusted } from "./html";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../e2e/vectors/${name}`, import.meta.url), "utf8"));
const hostile: string[] = [
  ...read("blns/blns.json"),
  ...read("hostile.json").names.map((name: { value: string }) => name.value),
];

/** What a browser reads back from escaped text: the five references that we write, and nothing else. */
const readBack = (markup: string) =>
  markup.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name] ?? "",
  );

describe("html", () => {
  test("text of others never becomes markup, and is read back as it was", () => {
    expect(hostile.length).toBeGreaterThan(500);
    for (const text of hostile) {
      const { markup } = html`${text}`;
      expect(markup).not.toMatch(/[<>"']/);
      expect(markup).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
      expect(readBack(markup)).toBe(text);
    }
  });

  test("text of others cannot leave an attribute's quotes", () => {
    for (const text of hostile) {
      const value = /^<a title="([^"]*)">x<\/a>$/.exec(html`<a title="${text}">x</a>`.markup)?.[1];
      expect(readBack(value ?? "missing")).toBe(text);
    }
  });

  test("markup goes in as it is, lists one after the other, and nothing for what is absent", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${null}${undefined}${false}${0}`.markup).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li></ul>0",
    );
    expect(html`${trusted("<hr>")}`.markup).toBe("<hr>");
  });

  test("a flag may stand in a tag, and only there", () => {
    expect(html`<input ${new Flag("autofocus", true)}>`.markup).toBe("<input autofocus>");
    expect(html`<input ${new Flag("autofocus", false)}>`.markup).toBe("<input >");
    expect(() => html`<p>${new Flag("autofocus", true)}</p>`).toThrow("cannot be made safe");
  });

  test.each([
    ["an attribute without quotes", () => html`<a title=${"x"}>`],
    ["an attribute's name", () => html`<a ${"onclick"}="x">`],
    ["a tag's name", () => html`<${"script"}>`],
    ["an attribute after a quoted one", () => html`<a href="/" ${"onclick=alert(1)"}>`],
    ["markup in a tag", () => html`<a ${html`title`}>`],
    ["a script", () => html`<script>${"x"}</script>`],
    ["a style", () => html`<STYLE>${"x"}</STYLE>`],
    ["a comment", () => html`<!-- ${"x"} -->`],
  ])("rejects a hole in %s", (_, careless) => {
    expect(careless).toThrow(/cannot be made safe|does not belong/);
  });
});
