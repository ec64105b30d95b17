import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { languages } from "../../kernel/languages";
import type { Confirmation, LinkStatus } from "../../subscribers/confirmations";
import type { Subscription } from "../../subscribers/unsubscribe-links";
import { confirmationPage, formActions } from "../confirmation";
import { setupForm } from "../setup";
import { unsubscribePage } from "../unsubscribe";
import { messagesFor, messagesForReader } from "./messages";
import { pageResponse, renderPage } from "./page";
import { erasePage, newAddressPage, preferencesPage } from "./preferences-page";
import { stylesheet } from "./stylesheet";

const FONT = new URL("../../../public/type/geist-latin-1.woff2", import.meta.url);
const linkStatuses: LinkStatus[] = [
  "pending",
  "active",
  "unsubscribed",
  "denied",
  "suppressed",
  "expired",
  "outdated",
  "void",
  "gone",
];

function view(
  linkStatus: LinkStatus,
  more: Partial<Confirmation> = {},
  name = "Weekly",
  language = "en",
): Confirmation {
  return {
    linkStatus,
    newsletter: { name, language, timeZone: "Europe/Berlin", replyTo: "hello@weekly.org", nextUrl: null },
    email: "ada@lovelace.org",
    confirmedAt: linkStatus === "active" ? new Date("2026-11-20T23:30:00Z") : null,
    mailed: true,
    fresh: true,
    renewed: false,
    ...more,
  };
}
const markup = (answer: ReturnType<typeof confirmationPage>) => renderPage(answer.page);

const subscriptionStatuses: Subscription["status"][] = [
  "active",
  "pending",
  "returning",
  "unsubscribed",
  "gone",
];
const subscription = (status: Subscription["status"], name: string, language: string): Subscription => ({
  status,
  newsletter: { name, language, accountName: name },
  mayReturn: false,
  mayBeMailed: false,
  elsewhere: false,
});
const subscriptionPages = (name: string, language: string) =>
  subscriptionStatuses.flatMap((status) =>
    ([null, "comeBack", "unsubscribeAll", "preferences"] as const).flatMap((action) =>
      [true, false].map((more) =>
        markup(
          unsubscribePage(
            { ...subscription(status, name, language), mayReturn: more, mayBeMailed: more, elsewhere: more },
            action,
          ),
        ),
      ),
    ),
  );

const preferencesPages = (name: string, language: string) => {
  const fields = (["text", "number", "date", "boolean", "choice"] as const).map((type) => ({
    ...{ key: type, label: name.slice(0, 100), type, choices: [name.slice(0, 100)] },
    ...{ required: true, value: null },
  }));
  const statuses = ["active", "pending", "unsubscribed", "returning"] as const;
  const preferences = {
    newsletter: { id: "1", name, language, accountName: name },
    version: 1,
    ...{ email: "ada@lovelace.org", name, fields, mayReturn: true },
    newsletters: statuses.map((status, i) => ({ newsletterId: String(i + 1), name, status })),
  };
  const errors = Object.fromEntries(fields.map(({ key }) => [`fields.${key}`, "missing"] as const));
  return [
    markup(preferencesPage(preferences, { notice: "saved" })),
    markup(preferencesPage(preferences, { errors })),
    markup(preferencesPage(preferences, { notice: "addressAsked" })),
    markup(erasePage(preferences, "/preferences/x")),
    ...[true, false].map((used) =>
      markup(newAddressPage({ newsletter: { name, language }, email: name, used })),
    ),
  ];
};

/**
 * All pages about a person: each linkStatus, on a first view and after each button. Includes the pages of unsubscribe
 * links.
 */
const everyPage = (name: string, language: string) => [
  ...preferencesPages(name, language),
  ...subscriptionPages(name, language),
  ...linkStatuses.flatMap((linkStatus) =>
    [null, ...formActions].flatMap((action) =>
      [true, false].flatMap((fresh) =>
        [true, false].map((done) =>
          markup(confirmationPage({ ...view(linkStatus, { fresh }, name, language), done }, action)),
        ),
      ),
    ),
  ),
];

describe("the public pages", () => {
  test("weigh less than 30 kB each, the font included", () => {
    const font = statSync(FONT).size;
    for (const lang of languages) {
      for (const page of everyPage("W".repeat(255), lang))
        expect(Buffer.byteLength(page) + font).toBeLessThan(30_000);
    }
  });

  test("hold no script, no event handler and nothing from elsewhere", () => {
    for (const page of [
      ...everyPage('Weekly"><script>alert(1)</script>', "en"),
      markup(setupForm()),
      markup(setupForm({}, { email: ["x"] })),
    ]) {
      expect(page).not.toMatch(
        /<script|<iframe|<img|\son\w+=|javascript:|https?:\/\/(?!www\.w3\.org\/2000\/svg)/i,
      );
    }
  });

  test("print a hostile newsletter's name as text, in the heading and in the title", () => {
    const hostile: { value: string }[] = JSON.parse(
      readFileSync(new URL("../../../e2e/vectors/hostile.json", import.meta.url), "utf8"),
    ).names;
    const plain = markup(confirmationPage(view("pending"))).match(/<[a-z/!][^>]*>/gi) ?? [];
    for (const { value } of hostile) {
      const page = markup(confirmationPage(view("pending", {}, value)));
      // The tags are the same, except for the class of a long heading.
      const tags = (page.match(/<[a-z/!][^>]*>/gi) ?? []).map((tag) => tag.replace('"long"', '"short"'));
      expect(tags).toEqual(plain);
    }
  });

  test("have no button where the last one was, against double clicks", () => {
    const returning = subscription("returning", "Weekly", "en");
    for (const answer of [
      confirmationPage({ ...view("active"), done: true }, "confirm"),
      confirmationPage({ ...view("active"), done: false }, "confirm"),
      confirmationPage({ ...view("denied"), done: true }, "deny"),
      unsubscribePage(returning, "comeBack"),
    ])
      expect(markup(answer)).not.toContain("<button");
    expect(markup(unsubscribePage(returning))).toContain('value="unsubscribe"');
  });

  test("offer to unsubscribe when “This wasn’t me” comes after a confirmation", () => {
    const page = markup(confirmationPage({ ...view("active"), done: false }, "deny"));
    expect(page).toContain("Nothing was changed");
    expect(page).toContain('value="unsubscribe"');
  });

  test("link active people, and no others, to the newsletter's next page", () => {
    const seen = (linkStatus: LinkStatus, nextUrl: string | null, action: "confirm" | "deny" = "confirm") => {
      const one = view(linkStatus);
      one.newsletter.nextUrl = nextUrl;
      return markup(confirmationPage({ ...one, done: false }, action));
    };
    const url = 'https://paper.example/thanks?a="1"&b=<2>';
    const href = `href="${new URL(url).href.replaceAll("&", "&amp;")}"`;
    expect(seen("active", url)).toContain(`class="main" ${href}>Go to paper.example</a>`);
    for (const linkStatus of linkStatuses.filter((one) => one !== "active"))
      expect(seen(linkStatus, url)).not.toContain("paper.example");
    // The page shows no link above an unsubscribe button.
    expect(seen("active", url, "deny")).not.toContain("paper.example");
    // The form rejects these values. A row written in another way shows no link either.
    for (const bad of ["javascript:alert(1)", "http://paper.example", "//paper.example", ""])
      expect(seen("active", bad)).toBe(seen("active", null));
  });

  test("show the confirmation's day in the newsletter's time zone", () => {
    expect(markup(confirmationPage(view("active")))).toContain("November 21, 2026");
  });

  test("link the newsletter's address if it is valid", () => {
    const away = (replyTo: string | null) => {
      const gone = view("suppressed");
      gone.newsletter.replyTo = replyTo;
      return markup(confirmationPage(gone));
    };
    expect(away("hello@weekly.org")).toContain('href="mailto:hello@weekly.org"');
    expect(away("a?bcc=x&y@weekly.org")).toContain('href="mailto:a%3Fbcc%3Dx%26y@weekly.org"');
    expect(away("javascript:alert(1)")).not.toContain("javascript");
    expect(away(null)).not.toContain("mailto");
  });

  test("have status 410 for links that no longer work, otherwise 200", () => {
    const over = linkStatuses.filter((linkStatus) => confirmationPage(view(linkStatus)).status === 410);
    expect(over).toEqual(["expired", "outdated", "void", "gone"]);
  });

  test("allow no script, no frame and no style but their own", async () => {
    const response = pageResponse(confirmationPage(view("pending")), "GET", "id");
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const rule of [
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy).toContain(rule);
    }
    const sheet = /<style>(.*?)<\/style>/s.exec(await response.text())?.[1] ?? "";
    expect(sheet).toBe(stylesheet);
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(sheet).digest("base64")}'`);
  });
});

test("a page without a newsletter is in the reader's first supported language", () => {
  const langOf = (headers: Record<string, string>) => messagesForReader(new Headers(headers)).lang;
  expect(langOf({ "accept-language": "tlh, de-CH;q=0.9, en;q=0.8" })).toBe("de");
  expect(langOf({})).toBe("en");
  expect(langOf({ "accept-language": ",;q=,".repeat(10_000) })).toBe("en");
  // Staff may choose another language than their browser's.
  expect(langOf({ "accept-language": "de", cookie: "a=b; rollcall.language=fr" })).toBe("fr");
  expect(langOf({ "accept-language": "de", cookie: "rollcall.language=tlh" })).toBe("de");
  const tags = ["de", "de-AT", "DE_ch", "tlh", "", "__proto__"];
  expect(tags.map((tag) => messagesFor(tag).lang)).toEqual(["de", "de", "de", "en", "en", "en"]);
});
