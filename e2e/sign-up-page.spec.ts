import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Dashboard, faultsOf, startDashboard } from "./fixtures/dashboard";
import { type FakeResend, startFakeResend } from "./fixtures/fake-resend";
import { staffAt } from "./fixtures/staff";

let resend: FakeResend;
let dashboard: Dashboard;
let url: string;
/** Another site, which shows whatever form it was given. */
let site: { server: Server; origin: string; form: string };

// The first test switches the page on for the others.
test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  resend = await startFakeResend();
  dashboard = await startDashboard({
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: resend.url,
    MAIL_FROM: "Weekly <hello@weekly.org>",
    RATE_LIMIT_SIGN_UP: "off",
  });
  // As links call the product, which is told no APP_URL.
  url = `http://localhost:${new URL(dashboard.product.url).port}/s/${dashboard.newsletterId}`;
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${site.form}</html>`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  site = { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, form: "" };
});
test.afterAll(async () => {
  site?.server.close();
  await dashboard?.stop();
  await resend?.stop();
});

async function personOf(email: string): Promise<{ id: string; status: string; name: string } | undefined> {
  const query = new URLSearchParams({ email, include: "fields" });
  const answer = await dashboard.call("GET", `/subscribers?${query}`);
  return ((await answer.json()) as { data: { id: string; status: string; name: string }[] }).data[0];
}

/** Presses the button in the mail that came to an address. */
async function confirm(page: Page, email: string): Promise<void> {
  const mailTo = () => resend.mails.find((mail) => [mail.to].flat().includes(email));
  await expect.poll(() => mailTo()?.text, { timeout: 20_000 }).toBeTruthy();
  await page.goto(/https?:\/\/\S+\/confirm\/[\w-]+/.exec(mailTo()?.text ?? "")?.[0] as string);
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(page.getByText("You’re on the list.")).toBeVisible();
}

/** A phone; fails the test when a page breaks its own policy. */
async function phone(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 760 }, ...options });
  const page = await context.newPage();
  page.on("console", (message) => {
    expect(message.text()).not.toMatch(/Content.Security.Policy/i);
  });
  return page;
}

/** Written from right to left, all that begins at the left edge begins at the right one, as far from it. */
async function mirrors(page: Page): Promise<void> {
  const edges = (dir: string) =>
    page.evaluate((direction) => {
      document.documentElement.dir = direction;
      const width = document.documentElement.clientWidth;
      return [...document.querySelectorAll("h1, h2, p, label, input, .main, .second:first-of-type")]
        .map((element) => element.getBoundingClientRect())
        .filter((box) => box.width > 1)
        .map(({ left, right }) => Math.round(direction === "ltr" ? left : width - right));
    }, dir);
  const fromLeft = await edges("ltr");
  expect(fromLeft.length).toBeGreaterThan(3);
  expect(await edges("rtl")).toEqual(fromLeft);
  expect(await widthOf(page)).toBeLessThanOrEqual(390);
  await edges("ltr");
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test("staff design the page beside a live preview, switch it on, and copy its forms; two tabs do not overwrite each other", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor");
  const settings = dashboard.at("/settings");
  await page.goto(`${settings}/fields`);
  const fields = page.getByRole("region", { name: "Fields" });
  await fields.getByRole("button", { name: "Define a field" }).click();
  const dialog = page.getByRole("dialog", { name: "Define a field" });
  await dialog.getByLabel("Label").fill("Edition");
  await dialog.getByLabel("Type").selectOption("One of a list");
  await dialog.getByLabel("Choices").fill("Print\nDigital");
  await dialog.getByRole("button", { name: "Define 1 field" }).click();
  await expect(dialog).toHaveCount(0);

  const design = `${settings}/sign-up`;
  await page.getByRole("link", { name: "Sign-up page" }).click();
  await page.waitForURL(design);
  const section = page.getByRole("main");
  const preview = section.frameLocator("iframe");
  await expect(preview.getByRole("button", { name: "Subscribe", includeHidden: true })).toBeVisible();
  await section.getByLabel("Title").fill("Letters about engines");
  await section.getByLabel("Introduction").fill("Every Friday.\n\nFive minutes to read.");
  await expect(preview.getByText("Five minutes to read.")).toBeVisible();
  await section.getByLabel("Edition").check();
  await expect(preview.getByText("Edition")).toBeVisible();
  await section.getByLabel("What people agree to").fill("");
  await expect(section.getByLabel("What people agree to")).toHaveAccessibleDescription(
    /Say what people agree to/,
  );
  await section.getByLabel("What people agree to").fill("Send me Weekly. I can leave at any time.");
  await section.getByRole("switch", { name: "The page is on" }).check();
  expect((await page.request.get(url)).status()).toBe(404);
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. The page is on.")).toBeVisible();
  expect((await page.request.get(url)).status()).toBe(200);
  await expect(section.getByRole("link", { name: url })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);

  const other = await dashboard.open(browser, "editor");
  await other.goto(design);
  const late = other.getByRole("main");
  await expect(late.getByLabel("Title")).toHaveValue("Letters about engines");
  await section.getByLabel("Introduction").fill("Every Friday.");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.locator("pre").first()).toContainText("form.js");
  await expect(page.getByText("Saved. The page is on.").last()).toBeVisible();
  await late.getByLabel("Title").fill("Something else");
  await late.getByRole("button", { name: "Save" }).click();
  await expect(late.getByRole("alert")).toContainText("Somebody changed the sign-up page");
  site.form = (await section.locator("pre").first().textContent()) ?? "";
  await other.context().close();
  await page.context().close();

  const viewer = await dashboard.open(browser, "viewer");
  await viewer.goto(design);
  const read = viewer.getByRole("main");
  await expect(read.getByText("Only owners and editors change these.")).toBeVisible();
  await expect(read.getByRole("button", { name: "Save" })).toHaveCount(0);
  await viewer.context().close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`on a phone, ${colorScheme}: an error stands at its input, then the mail's button makes active`, async ({
    browser,
  }) => {
    const email = `ada-${colorScheme}@lovelace.org`;
    const page = await phone(browser, { colorScheme });
    await page.goto(url);
    await expect(page.getByRole("heading")).toHaveText("Letters about engines");
    expect(await faultsOf(page)).toEqual([]);
    expect(await widthOf(page)).toBe(390);
    await expect(page.getByLabel("Leave this field empty")).not.toBeInViewport();
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("Email")).toBeFocused();
    await page.keyboard.type("ada@localhost");
    await page.getByLabel("Name").fill("Ada Lovelace");
    await page.getByLabel("Edition").selectOption("Print");
    await page.waitForTimeout(2_100);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/This is no whole email address/);
    await expect(page.getByLabel("Email")).toBeFocused();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Email").fill(email);
    const button = await page.getByRole("button", { name: "Subscribe" }).boundingBox();
    expect(button?.height).toBeGreaterThanOrEqual(44);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByRole("heading")).toHaveText("Look into your inbox");
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    expect(await personOf(email)).toMatchObject({
      status: "pending",
      name: "Ada Lovelace",
      fields: { edition: "Print" },
    });
    await confirm(page, email);
    expect((await personOf(email))?.status).toBe("active");
    await page.context().close();
  });
}

test("without scripts: who is quick is asked to press once more, and loses nothing", async ({ browser }) => {
  const page = await phone(browser, { javaScriptEnabled: false });
  await page.goto(url);
  await page.getByLabel("Email").fill("grace@navy.mil");
  await page.getByLabel("Name").fill("Grace Hopper");
  // What the form has is older than what a program would have, and younger than two seconds.
  await page.getByRole("button", { name: "Subscribe" }).click();
  const again = page.getByRole("button", { name: "Press once more" });
  await expect(again).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Grace Hopper");
  expect(await personOf("grace@navy.mil")).toBeUndefined();
  await page.waitForTimeout(2_100);
  await again.click();
  await expect(page.getByRole("heading")).toHaveText("Look into your inbox");
  await confirm(page, "grace@navy.mil");
  expect((await personOf("grace@navy.mil"))?.status).toBe("active");
  await page.context().close();
});

test("a form on another site answers in place; without scripts it leads to the page", async ({ browser }) => {
  const page = await phone(browser);
  await page.goto(site.origin);
  await page.getByLabel("Email").fill("joan@localhost");
  await page.getByLabel("Name").fill("Joan Clarke");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("This is no whole email address.")).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill("joan@bletchley.org");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("status")).toContainText("An email with a button is on its way");
  expect(new URL(page.url()).origin).toBe(site.origin);
  expect((await personOf("joan@bletchley.org"))?.status).toBe("pending");
  await page.context().close();

  const plain = await phone(browser, { javaScriptEnabled: false });
  await plain.goto(site.origin);
  await plain.getByLabel("Email").fill("alan@bletchley.org");
  await plain.getByRole("button", { name: "Subscribe" }).click();
  await expect(plain.getByLabel("Email")).toHaveValue("alan@bletchley.org");
  await plain.waitForTimeout(2_100);
  await plain.getByRole("button", { name: "Press once more" }).click();
  await expect(plain.getByRole("heading")).toHaveText("Look into your inbox");
  expect((await personOf("alan@bletchley.org"))?.status).toBe("pending");
  await plain.context().close();
});

test("the dashboard finds them by the sign-up page, and tells what each agreed to", async ({ browser }) => {
  const page = await dashboard.open(browser, "editor");
  await page.goto(dashboard.at("/people?source=public"));
  await expect(page.locator("tbody tr")).toHaveCount(5);
  await page.getByRole("link", { name: "alan@bletchley.org" }).click();
  const panel = page.getByRole("complementary", { name: "Person" });
  await expect(panel).toContainText("Added through the sign-up page");
  await expect(panel).toContainText(
    "Agreed on the sign-up page: “Send me Weekly. I can leave at any time.” (wording 1)",
  );
  await expect(panel).toContainText(`The form stood on ${site.origin}`);
  await page.context().close();
});

for (const [javaScriptEnabled, colorScheme] of [
  [true, "light"],
  [false, "dark"],
] as const) {
  test(`from sign-up to goodbye on a phone (scripts: ${javaScriptEnabled}): confirmed, left by one click, asking to come back, their details changed, downloaded and erased`, async ({
    browser,
  }) => {
    const email = `emmy-${colorScheme}@noether.org`;
    const page = await phone(browser, { javaScriptEnabled, colorScheme });
    const statusNow = async () => (await personOf(email))?.status;
    /** Axe is a script itself. */
    const looksRight = async () => {
      for (const scheme of javaScriptEnabled ? (["dark", "light"] as const) : []) {
        await page.emulateMedia({ colorScheme: scheme });
        expect(await faultsOf(page)).toEqual([]);
        expect(await widthOf(page)).toBeLessThanOrEqual(390);
      }
      if (javaScriptEnabled) await mirrors(page);
    };
    await page.goto(url);
    await page.getByLabel("Email").fill(email);
    await page.waitForTimeout(2_100);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByRole("heading")).toHaveText("Look into your inbox");
    await confirm(page, email);
    expect(await statusNow()).toBe("active");

    const mailsTo = () => resend.mails.filter((mail) => [mail.to].flat().includes(email));
    const headers = mailsTo()[0]?.headers as Record<string, string>;
    expect(headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    const link = headers["List-Unsubscribe"]?.slice(1, -1) as string;
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await fetch(link, { method: "POST", body, redirect: "manual" })).status).toBe(200);
    expect(await statusNow()).toBe("unsubscribed");
    await page.goto(link);
    await expect(page).toHaveTitle(/^You are unsubscribed/);
    await page.getByRole("button", { name: "Send me an email to come back" }).click();
    await expect(page.getByText("is on its way to you")).toBeVisible();
    expect(await statusNow()).toBe("pending");
    // One person is asked once a minute: the mail waits.
    expect(mailsTo()).toHaveLength(1);

    await page.goto(link);
    await page.getByRole("button", { name: "Change my details" }).click();
    await expect(page.getByText("An email with your link is on its way")).toBeVisible();
    const preferences = () =>
      mailsTo()
        .map(({ text }) => /https?:\/\/\S+\/preferences\/[\w-]+/.exec(text ?? "")?.[0])
        .find(Boolean);
    await expect.poll(preferences, { timeout: 20_000 }).toBeTruthy();
    await page.goto(preferences() as string);
    await looksRight();
    await page.getByLabel("Name").fill("Emmy Noether");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    expect((await personOf(email))?.name).toBe("Emmy Noether");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download my data" }).click(),
    ]);
    expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({
      person: { email, name: "Emmy Noether" },
    });
    await page.getByRole("button", { name: "Erase my data" }).click();
    await expect(page.getByRole("heading")).toHaveText("Erase everything?");
    await looksRight();
    await page.getByRole("button", { name: "Erase everything" }).click();
    await expect(page.getByText("All that this newsletter kept of you is erased")).toBeVisible();
    expect(await personOf(email)).toBeUndefined();
    const answer = await page.goto(link);
    expect(answer?.status()).toBe(410);
    await expect(page.getByText("You are not on the list any more")).toBeVisible();
    await page.context().close();
  });
}

/** SCANNER_OPENS=10000 is the full run. */
const OPENS = Number(process.env.SCANNER_OPENS || 40);

test(`a mail scanner that opens every link in a browser with scripts, ${OPENS} times, changes nobody`, async ({
  browser,
}) => {
  test.setTimeout(60_000 + OPENS * 1_000);
  const { origin } = new URL(url);
  const { trpc } = await staffAt(dashboard.product.url, "owner@rollcall.dev", "a long enough password");
  const api = (path: string, body?: object) =>
    dashboard.call(body ? "POST" : "GET", path, body).then((answer) => answer.json());
  const add = async (email: string, status: string) =>
    (await api("/subscribers", { email, status })).data.id as string;
  const pending = "pending@scanned.org";
  await add(pending, "pending");
  const active = await add("active@scanned.org", "active");
  const { unsubscribe } = (await api(`/subscribers/${active}/links`, {})).data;
  await fetch(unsubscribe, { method: "POST", body: new URLSearchParams({ action: "preferences" }) });
  const { url: joinUrl } = await trpc.account.invite.mutate({
    invitation: { email: "scanned@navy.mil", role: "viewer" },
  });
  await trpc.own.forgot.mutate({ email: "viewer@rollcall.dev" });
  const mailsTo = (email: string) => resend.mails.filter((mail) => [mail.to].flat().includes(email));
  const to = [pending, "active@scanned.org", "viewer@rollcall.dev"];
  await expect.poll(() => to.every((email) => mailsTo(email).length > 0), { timeout: 20_000 }).toBe(true);

  const links = new Set([unsubscribe as string, joinUrl, url, `${url}/time`, `${site.origin}/`]);
  const isOurs = (link: string) => link.startsWith(origin) || link.startsWith(dashboard.product.url);
  for (const { html } of to.flatMap(mailsTo))
    for (const [, link] of (html ?? "").matchAll(/(?:href|src)="([^"]+)"/g))
      links.add((link as string).replaceAll("&amp;", "&"));
  const toOpen = [...links].filter((link) => isOurs(link) || link.startsWith(site.origin));
  expect(toOpen.length).toBeGreaterThan(6);

  const { next } = (await api("/changes?after=now")).pagination;
  const mailsBefore = resend.mails.length;
  const context = await browser.newContext();
  const page = await context.newPage();
  for (let opened = 0; opened < OPENS; opened++) {
    const link = toOpen[opened % toOpen.length] as string;
    if (opened % 3 === 0) await page.request.head(link);
    await page.goto(link, { waitUntil: "load" });
    // What its scripts ask for when they have run.
    await page.waitForTimeout(150);
    const found = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    for (const one of found) if (isOurs(one) && !toOpen.includes(one)) toOpen.push(one);
  }
  await context.close();
  expect((await api(`/changes?after=${next}`)).data).toEqual([]);
  expect(resend.mails).toHaveLength(mailsBefore);
  // Each link is still its reader's to use.
  const reader = await phone(browser);
  await confirm(reader, pending);
  await reader.goto(joinUrl);
  await expect(reader.getByLabel("Your name")).toBeVisible();
  await reader.context().close();
});
