import { expect, test } from "vitest";
import { languages } from "../../kernel/languages";
import { personMailWords } from "../messages";
import { personMailKinds } from "../schema/mail-states";
import { renderLetter } from "./render-letter";
import { defaultWords, type PersonMail, personLetter, renderPersonMail } from "./render-person-mail";

const url = "https://list.example/confirm/abc-DEF_123?x=1&y='<\">";
const { href } = new URL(url);
const render = (mail: Partial<PersonMail>) =>
  renderPersonMail({ kind: "confirmation", newsletterName: "Weekly", language: "en", ...mail }, url);

const names = ["Weekly", `Tom's "best" & <b>bold</b>`, "https://link.invalid/", "日本語 $& $1 ニュース"];

test.each(personMailKinds)(
  "inserting the link into a cached %s gives the bytes of a full rendering",
  async (kind) => {
    for (const language of languages) {
      for (const newsletterName of names) {
        for (const own of [
          undefined,
          { subject: "{newsletter}?", intro: "A <b> & 'c'\n\n{newsletter}\nd" },
        ]) {
          const mail = { kind, newsletterName, language, own };
          expect(await renderPersonMail(mail, url)).toEqual(await renderLetter(personLetter(mail, href)));
        }
      }
      const byDefault = await render({ kind, language });
      expect(await render({ kind, language, own: defaultWords(kind, language) })).toEqual(byDefault);
    }
  },
);

test("the HTML has the link as a button and bare; the text has it once, on its own line; nothing is loaded", async () => {
  const { html, text } = await render({});
  expect(text.split("\n").filter((line) => line === href)).toHaveLength(1);
  const escaped = href.replace("&", "&amp;").replace(/'/g, "&#x27;");
  expect(html.match(/href="([^"]*)"/g)).toEqual(Array(2).fill(`href="${escaped}"`));
  expect(html.length).toBeLessThan(8_000);
  expect(html).not.toMatch(/<img|<script|<link|@import|url\(/);
});

test("a newsletter's name and own words can't break a header or the page, or pose as the link", async () => {
  const newsletterName =
    "Weekly\r\nBcc: evil@x.org\u2028<script>alert(1)</script>https://link.invalid/\u0001";
  const shown = "Weekly Bcc: evil@x.org <script>alert(1)</script>https://link.invalid/";
  const { subject, html, text } = await render({ newsletterName });
  expect(subject).toBe(`Confirm your subscription to ${shown}`);
  expect(html).not.toContain("<script");
  expect(text.split("\n")[0]).toBe(shown);

  const own = { subject: "a\r\nBcc: x@y.org", intro: "https://link.invalid/\u0001 {newsletter}" };
  const mail = await render({ own });
  expect(mail.subject).toBe("a Bcc: x@y.org");
  expect(mail.text.split(href)).toHaveLength(2);
  expect(mail.text).toContain("https://link.invalid/  Weekly");
});

test("unsupported languages are written in English, and an invisible name becomes “Newsletter”", async () => {
  const { subject, html } = await render({ newsletterName: "\u200b\r\n", language: "__proto__" });
  expect(subject).toBe("Confirm your subscription to Newsletter");
  expect(html).toContain('lang="en"');
});

test("own words replace the default subject and intro, as text, with the name filled in", async () => {
  const own = {
    subject: "Ein Klick noch, {newsletter}",
    intro: "Hallo <b>du</b> & ihr!\n\n{newsletter} kommt\nfreitags. {newsletter}",
  };
  const mail = await render({ newsletterName: "{newsletter} $&", language: "de", own });
  expect(mail.subject).toBe("Ein Klick noch, {newsletter} $&");
  expect(mail.html).toContain("Hallo &lt;b&gt;du&lt;/b&gt; &amp; ihr!");
  expect(mail.html).toMatch(/kommt<br\/?>freitags\. \{newsletter\} \$&amp;/);
  const words = personMailWords.confirmation.de as { button: string; expires: string; aside: string };
  expect(mail.text.split("\n\n")).toEqual([
    "{newsletter} $&",
    "Hallo <b>du</b> & ihr!",
    "{newsletter} $& kommt\nfreitags. {newsletter} $&",
    `${words.button}:\n${href}`,
    words.expires,
    `${words.aside}\n`,
  ]);
});
