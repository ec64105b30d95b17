import { expect, test } from "vitest";
import { confirmationMessages } from "../messages";
import { confirmationLetter, defaultWords, renderConfirmation } from "./render-confirmation";
import { renderLetterHtml } from "./render-letter";

const url = "https://list.example/confirm/abc-DEF_123?x=1&y='<\">";

test("putting the link in afterwards gives byte for byte what rendering it does", async () => {
  for (const language of ["en", "de", "fr", "es"]) {
    for (const newsletterName of [
      "Weekly",
      `Tom's "best" & <b>bold</b>`,
      "https://link.invalid/",
      "日本語 $& $1 ニュース",
    ]) {
      for (const own of [undefined, { subject: "{newsletter}?", intro: "A <b> & 'c'\n\n{newsletter}\nd" }]) {
        const input = { newsletterName, confirmUrl: url, language, own };
        const mail = await renderConfirmation(input);
        expect(mail.html).toBe(await renderLetterHtml(confirmationLetter(input, new URL(url).href)));
      }
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

test("a newsletter's own words stand where ours did, as text, with its name filled in; the rest stays ours", async () => {
  const own = {
    subject: "Ein Klick noch, {newsletter}",
    intro: "Hallo <b>du</b> & ihr!\n\n{newsletter} kommt\nfreitags. {newsletter}",
  };
  const mail = await renderConfirmation({
    newsletterName: "{newsletter} $&",
    confirmUrl: url,
    language: "de",
    own,
  });
  expect(mail.subject).toBe("Ein Klick noch, {newsletter} $&");
  expect(mail.html).toContain("Hallo &lt;b&gt;du&lt;/b&gt; &amp; ihr!");
  expect(mail.html).toMatch(/kommt<br\/?>freitags\. \{newsletter\} \$&amp;/);
  const words = confirmationMessages.de;
  expect(mail.text).toBe(
    `${[
      "{newsletter} $&",
      "Hallo <b>du</b> & ihr!",
      "{newsletter} $& kommt\nfreitags. {newsletter} $&",
      `${words.button}:\n${new URL(url).href}`,
      words.expires,
      words.notYou,
    ].join("\n\n")}\n`,
  );
});

test("own words can pretend neither to be the link nor a header", async () => {
  const own = { subject: "a\r\nBcc: x@y.org", intro: "https://link.invalid/\u0001 {newsletter}" };
  const mail = await renderConfirmation({ newsletterName: "Weekly", confirmUrl: url, language: "en", own });
  expect(mail.subject).toBe("a Bcc: x@y.org");
  expect(mail.text.split(new URL(url).href)).toHaveLength(2);
  expect(mail.text).toContain("https://link.invalid/  Weekly");
});

test("the default words, filled in, are what a newsletter without its own says", async () => {
  for (const language of ["en", "de", "fr", "es"]) {
    const input = { newsletterName: "Weekly", confirmUrl: url, language };
    expect(await renderConfirmation({ ...input, own: defaultWords(language) })).toEqual(
      await renderConfirmation(input),
    );
  }
});
