import { expect, test } from "vitest";
import { renderConfirmation } from "../../server/mail/templates/render-confirmation";
import { inScheme } from "./in-scheme";

test("a mail shown in one scheme is the mail that leaves, but for asking its reader's", async () => {
  const { html } = await renderConfirmation({
    newsletterName: "Weekly",
    language: "en",
    confirmUrl: "https://list.example/confirm/x",
  });
  const [light, dark] = [inScheme(html, "light"), inScheme(html, "dark")];
  expect(dark).toContain("@media all {");
  expect(light).toContain("@media not all {");
  for (const [shown, scheme] of [
    [light, "light"],
    [dark, "dark"],
  ] as const) {
    expect(shown).not.toMatch(/prefers-color-scheme|light dark/);
    expect(shown.match(new RegExp(`content="${scheme}"`, "g"))).toHaveLength(2);
    // What is left is word for word what leaves.
    const bare = (text: string) => text.replace(/<style>.*?<\/style>|<meta[^>]*>/gs, "");
    expect(bare(shown)).toBe(bare(html));
  }
});
