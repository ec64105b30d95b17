import { expect, test } from "vitest";
import { renderConfirmation, renderHtml } from "./render-confirmation";
import { wordsOf } from "./words";

const url = "https://roll.example/confirm/abc-DEF_123?x=1&y='<\">";

test("putting the link in afterwards gives byte for byte what rendering it does", async () => {
  for (const language of ["en", "de", "fr", "es"]) {
    for (const newsletterName of [
      "Weekly",
      `Tom's "best" & <b>bold</b>`,
      "https://link.invalid/",
      "日本語 $& $1 ニュース",
    ]) {
      const mail = await renderConfirmation({ newsletterName, confirmUrl: url, language });
      const { tag, words } = wordsOf(language);
      const whole = await renderHtml({ name: newsletterName, url: new URL(url).href, tag, words });
      expect(mail.html).toBe(whole);
    }
  }
});

test("the link stands in the HTML as button and bare, and once in the text on a line of its own", async () => {
  const mail = await renderConfirmation({ newsletterName: "Weekly", confirmUrl: url, language: "en" });
  const href = new URL(url).href;
  expect(mail.text.split("\n").filter((line) => line === href)).toHaveLength(1);
  expect(mail.html.match(/href="([^"]*)"/g)).toEqual(
    Array(2).fill(`href="${href.replace("&", "&amp;").replace(/'/g, "&#x27;")}"`),
  );
  expect(mail.html).toContain("Confirm subscription");
});

test("a name can neither break a header, nor the page, nor pretend to be the link", async () => {
  const newsletterName =
    "Weekly\r\nBcc: evil@x.org\u2028<script>alert(1)</script>https://link.invalid/\u0001";
  const { subject, html, text } = await renderConfirmation({
    newsletterName,
    confirmUrl: url,
    language: "en",
  });
  expect(subject).toBe(
    "Confirm your subscription to Weekly Bcc: evil@x.org <script>alert(1)</script>https://link.invalid/",
  );
  expect(html).not.toContain("<script");
  expect(text.split("\n")[0]).toBe("Weekly Bcc: evil@x.org <script>alert(1)</script>https://link.invalid/");
});

test("a language that is not spoken is written in English, and a name of nothing still makes a subject", async () => {
  const mail = await renderConfirmation({
    newsletterName: "\u200b\r\n",
    confirmUrl: url,
    language: "__proto__",
  });
  expect(mail.subject).toBe("Confirm your subscription to Newsletter");
  expect(mail.html).toContain('lang="en"');
});

test("the mail is small, has no pictures and loads nothing", async () => {
  const { html } = await renderConfirmation({ newsletterName: "Weekly", confirmUrl: url, language: "en" });
  expect(html.length).toBeLessThan(8_000);
  expect(html).not.toMatch(/<img|<script|<link|@import|url\(/);
  expect(html).toContain("prefers-color-scheme: dark");
});
