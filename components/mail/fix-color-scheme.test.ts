import { expect, test } from "vitest";
import { renderPersonMail } from "../../server/mail/templates/render-person-mail";
import { fixColorScheme } from "./fix-color-scheme";

test("fixes the colour scheme of an email, and leaves the rest as it is sent", async () => {
  const mail = { kind: "confirmation", newsletterName: "Weekly", language: "en" } as const;
  const { html } = await renderPersonMail(mail, "https://list.example/confirm/x");
  const [light, dark] = [fixColorScheme(html, "light"), fixColorScheme(html, "dark")];
  expect(dark).toContain("@media all {");
  expect(light).toContain("@media not all {");
  for (const [shown, scheme] of [
    [light, "light"],
    [dark, "dark"],
  ] as const) {
    expect(shown).not.toMatch(/prefers-color-scheme|light dark/);
    expect(shown.match(new RegExp(`content="${scheme}"`, "g"))).toHaveLength(2);
    // Without styles and meta tags it is word for word the mail that is sent.
    const bare = (text: string) => text.replace(/<style>.*?<\/style>|<meta[^>]*>/gs, "");
    expect(bare(shown)).toBe(bare(html));
  }
});
