import { parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { expect, type Page, test } from "@playwright/test";
import { settingsPages } from "../components/settings/pages";
import { places } from "../components/shell/places";
import * as german from "../components/texts/de";
import germanSentences from "../components/texts/de/server.json" with { type: "json" };
import * as spanish from "../components/texts/es";
import spanishSentences from "../components/texts/es/server.json" with { type: "json" };
import * as french from "../components/texts/fr";
import frenchSentences from "../components/texts/fr/server.json" with { type: "json" };
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();

const languages = {
  de: { locale: "de-DE", catalogue: german, sentences: germanSentences },
  fr: { locale: "fr-FR", catalogue: french, sentences: frenchSentences },
  es: { locale: "es-ES", catalogue: spanish, sentences: spanishSentences },
};

type Part = ReturnType<typeof parse>[number];
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const TAG = "\0";

/** Each form of a message as a pattern of what stands on the page; tags divide it. */
function formsOf(parts: Part[]): string[] {
  return parts.reduce<string[]>(
    (forms, part) => {
      let more: string[] = [".*"];
      if (part.type === TYPE.literal) more = [escaped(part.value)];
      if (part.type === TYPE.pound) more = ["[\\d.,\\s]+"];
      if (part.type === TYPE.tag) more = formsOf(part.children).map((inner) => TAG + inner + TAG);
      if (part.type === TYPE.plural || part.type === TYPE.select)
        more = Object.values(part.options).flatMap(({ value }) => formsOf(value));
      return forms.flatMap((form) => more.map((one) => form + one));
    },
    [""],
  );
}

type Tree = { [key: string]: string | Tree };
const messagesOf = (tree: Tree): string[] =>
  Object.values(tree).flatMap((value) => (typeof value === "string" ? [value] : messagesOf(value)));

/** Tells whether a text of the page is one of the language, or a part between two tags of one. */
function knowsTextsOf({ catalogue, sentences }: (typeof languages)["de"]): (text: string) => boolean {
  const forms = messagesOf(catalogue as Tree).flatMap((message) => formsOf(parse(message)));
  const pieces = forms.flatMap((form) => form.split(TAG));
  const said = Object.values(sentences).map((text) =>
    text
      .split(/\{\w+\}/)
      .map(escaped)
      .join(".*"),
  );
  const sources = [...new Set([...pieces, ...said].map((piece) => piece.replace(/\s+/g, " ").trim()))];
  // A pattern of values alone would match everything.
  const patterns = sources
    .filter((source) => /\p{L}/u.test(source.replace(/\\[sd]/g, "")))
    .map((source) => new RegExp(`^${source}$`, "s"));
  return (text) => patterns.some((pattern) => pattern.test(text));
}

/** The texts that a reader sees or hears, without those marked as code or as somebody's data. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = new Set<string>();
    const skipped = "script, style, code, pre, iframe, [translate=no], option, textarea, time";
    const shown = (element: Element) => element.checkVisibility() && !element.closest(skipped);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement && shown(node.parentElement)) texts.add(node.textContent ?? "");
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], img[alt]"))
      if (shown(element))
        for (const name of ["aria-label", "title", "placeholder", "alt"])
          texts.add(element.getAttribute(name) ?? "");
    return [...texts].map((text) => text.replace(/\s+/g, " ").trim());
  });

/** Texts of buttons, links and headings that do not fit into their place. */
const cutTextsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement;
    const wide = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : [];
    const labels = [...document.querySelectorAll<HTMLElement>("button, nav a, label, h1, h2, legend")];
    const cut = labels.filter((label) => {
      if (!label.checkVisibility() || label.closest("table, [role=grid]")) return false;
      return [label, ...label.querySelectorAll<HTMLElement>("*")].some((part) => {
        const hasText = [...part.childNodes].some(
          (node) => node.nodeType === 3 && /\p{L}/u.test(node.nodeValue ?? ""),
        );
        const { overflowX, clipPath } = getComputedStyle(part);
        // A part without a place is for screen readers; an id is cut on purpose.
        const isShown = clipPath === "none" && !part.closest("[title]");
        return hasText && isShown && overflowX === "hidden" && part.scrollWidth > part.clientWidth + 1;
      });
    });
    return [...wide, ...cut.map((label) => label.innerText)];
  });

const isLoaded = (page: Page) => expect(page.locator("main [role=status][aria-label]")).toHaveCount(0);

/** Names, examples, subjects of the newsletter's own emails, and dates. */
const DATA =
  /\S+@\S+|https?:\S+|\S*_\S*|Reader \d+|\d+ ms|\d{1,2}\.? \p{L}{3,5}\b|(Welcome|Confirm your subscription) to Weekly|\b(owner|editor|viewer|Weekly|First key|email|Paper & Ink|paper\.example|Rollcall|Resend|JSON|CSV|API|UTC|ID)\b/gu;
const withoutData = (text: string) =>
  text
    .replace(DATA, "")
    .replaceAll(dashboard.domain, "")
    .replace(/^[^\p{L}\d]+|[\s·:]+$/gu, "");

const addresses = [...new Set([...places, ...settingsPages].map(({ path }) => path))];
const more = ["/people?add=true", "/people?q=nobody-has-this-name", "/imports/new", "/api/webhooks"];

for (const [language, texts] of Object.entries(languages))
  test(`every page is in ${language}, and nothing is cut at 390 and 1280 px`, async () => {
    test.setTimeout(300_000);
    await dashboard.call("POST", "/subscribers", { email: dashboard.email("ada"), status: "pending" });
    const page = await dashboard.open("owner", { locale: texts.locale });
    const isKnown = knowsTextsOf(texts);
    const faults: string[] = [];
    for (const path of [...addresses, ...more]) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(dashboard.at(path));
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await isLoaded(page);
      const unknown = (await textsOn(page)).filter((text) => {
        const rest = withoutData(text);
        const isList = () => rest.split(/, | und | et | y /).every(isKnown);
        return /\p{L}{2}/u.test(rest) && !isKnown(text) && !isKnown(rest) && !isList();
      });
      faults.push(...unknown.map((text) => `${path}: not translated: ${text}`));
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        faults.push(...(await cutTextsOn(page)).map((text) => `${path} at ${width} px: cut: ${text}`));
      }
    }
    expect(faults.join("\n")).toBe("");
  });

test("a staff member's chosen language also applies in their next browser, and can be reset to the browser's", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/settings/you"));
  await page.getByLabel("Language of the dashboard").selectOption("de");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(german.settings.frame.navigation);
  const elsewhere = await dashboard.open("viewer", { locale: "fr-FR" });
  await elsewhere.goto(dashboard.at("/people"));
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText(german.people.page.title);
  await page.getByLabel(german.settings.language.label).selectOption("");
  await expect(page.getByLabel("Language of the dashboard")).toHaveValue("");
  // A second time in the same page, whose messages of the server follow, too.
  await page.getByLabel("Language of the dashboard").selectOption("de");
  await page.getByLabel(german.settings.you.yourName).fill("");
  await page.getByRole("button", { name: german.settings.you.changeName }).click();
  await expect(page.getByText(germanSentences["Enter a name."])).toBeVisible();
});
