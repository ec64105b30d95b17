import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, faultsOf, mailsAre, startDashboard } from "./fixtures/dashboard";
import { type FakeResend, startFakeResend } from "./fixtures/fake-resend";
import { staffAt } from "./fixtures/staff";

const PEOPLE = 201;

let resend: FakeResend;
let dashboard: Dashboard;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  resend = await startFakeResend();
  dashboard = await startDashboard({
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: resend.url,
    MAIL_FROM: "Paper & Ink <hello@paper.example>",
  });
});
test.afterAll(async () => {
  await dashboard?.stop();
  await resend?.stop();
});

const underWay = (page: Page) => page.getByRole("region", { name: "Under way" });
const bar = (page: Page) => page.getByRole("region", { name: "Selected people" });
const arrivedAt = (domain: string) =>
  resend.mails.flatMap((mail) => [mail.to].flat()).filter((to) => to.endsWith(`@${domain}`));

const editor = () => staffAt(dashboard.product.url, "editor@rollcall.dev", "a long enough password");

/** Imports pending people whose confirmations are cancelled in time: they have never been asked. */
async function addUnasked(domain: string): Promise<void> {
  const { newsletterId } = dashboard;
  const { trpc } = await editor();
  const rows = Array.from({ length: PEOPLE }, (_, i) => ({
    line: i + 1,
    email: `reader${i}@${domain}`,
    name: i < 3 ? (["Ada", "Grace", "Alan"][i] as string) : "",
  }));
  const plan = { rows, rejected: [], fileName: null, defaultStatus: "pending" as const };
  const { importId, digest } = await trpc.imports.plan.mutate({ newsletterId, plan });
  const consent = { source: "the fair", wording: "", people: PEOPLE };
  await trpc.imports.commit.mutate({ newsletterId, importId, digest, consent });
  const state = async () => (await trpc.imports.get.query({ newsletterId, importId })).state;
  await expect.poll(state, { timeout: 30_000 }).toBe("done");
  expect(await trpc.mailings.cancel.mutate({ newsletterId, id: importId })).toMatchObject({ mails: PEOPLE });
}

/** Selects everybody of a domain, and asks to send them confirmations. @returns the question */
async function askForAll(page: Page, domain: string) {
  await page.goto(dashboard.at(`/people?q=${domain}`));
  await page.getByRole("checkbox", { name: "Select everybody on this page" }).check();
  await bar(page)
    .getByRole("button", { name: `Select all ${PEOPLE}` })
    .click();
  await bar(page).getByRole("button", { name: "Send confirmations" }).click();
  const question = page.getByRole("dialog", { name: `Send ${PEOPLE} confirmations?` });
  await expect(question).toContainText("To Ada, Grace, Alan and 198 others.");
  return question;
}

const secondsLeft = async (page: Page) =>
  Number(/leave in (\d+) second/.exec((await underWay(page).textContent()) ?? "")?.[1] ?? Number.NaN);

/** Axe finds nothing in either scheme, and nothing is cut off at both widths. */
async function isSound(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // A dialog's header is a second banner to axe, beside the one that the page has on a phone.
      const inDialog = width === 390 && (await page.getByRole("dialog").count()) > 0;
      if (!inDialog) expect(await faultsOf(page), `${colorScheme} at ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  }
}

test("201 people are asked about, and cancelled in second 20 after a reload, from a phone: none of them is mailed", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  await addUnasked("taken.example");
  const page = await dashboard.open(browser, "editor");
  const question = await askForAll(page, "taken.example");
  await expect(question).toContainText("They leave after 30 seconds.");
  await expect(question.getByRole("link", { name: "See the list" })).toHaveAttribute(
    "href",
    /\/people\?q=taken\.example&status=pending$/,
  );
  await isSound(page);
  // Asking alone does nothing.
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await expect(underWay(page)).not.toContainText("confirmations");
  await bar(page).getByRole("button", { name: "Send confirmations" }).click();
  await question.getByRole("button", { name: `Send ${PEOPLE} confirmations` }).click();

  await expect(underWay(page)).toContainText(`${PEOPLE} confirmations leave in`);
  const began = Date.now();
  await page.reload();
  await expect(underWay(page)).toContainText(`${PEOPLE} confirmations leave in`);
  const phone = await dashboard.open(browser, "owner", { viewport: { width: 390, height: 844 } });
  await phone.goto(dashboard.at("/mails"));
  const cancel = underWay(phone).getByRole("button", { name: `Cancel ${PEOPLE} confirmations` });
  await expect(cancel).toBeInViewport();
  expect(await faultsOf(phone)).toEqual([]);
  await expect.poll(() => secondsLeft(phone), { timeout: 30_000 }).toBeLessThanOrEqual(10);
  expect(arrivedAt("taken.example")).toEqual([]);
  await cancel.click();
  await expect(phone.getByText(`${PEOPLE} confirmations cancelled; none of them left.`)).toBeVisible();
  await expect(underWay(page)).not.toContainText("leave in", { timeout: 15_000 });
  // Beyond the end of the delay.
  await expect.poll(() => Date.now() - began, { timeout: 40_000 }).toBeGreaterThan(34_000);
  expect(arrivedAt("taken.example")).toEqual([]);
  await page.goto(dashboard.at("/people?q=taken.example&status=pending"));
  await expect(page.getByText(`1–100 of ${PEOPLE}`)).toBeVisible();
  await phone.context().close();
  await page.context().close();
});

test("not cancelled, all 201 are mailed once each after the newsletter's own delay; then it is too late", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const owner = await dashboard.open(browser, "owner");
  await owner.goto(dashboard.at("/settings"));
  const delay = owner.getByLabel("Delay of mails to many people");
  await expect(delay).toHaveValue("30");
  await delay.fill("601");
  await owner.getByRole("button", { name: "Save" }).first().click();
  await expect(delay).toHaveAccessibleDescription(/0 to 600 seconds/);
  await delay.fill("5");
  await owner.getByRole("button", { name: "Save" }).first().click();
  await expect(owner.getByText("Saved.")).toBeVisible();
  await owner.context().close();

  await addUnasked("sent.example");
  const page = await dashboard.open(browser, "editor");
  const question = await askForAll(page, "sent.example");
  await expect(question).toContainText("They leave after 5 seconds.");
  await question.getByRole("button", { name: `Send ${PEOPLE} confirmations` }).click();
  await expect(underWay(page)).toContainText(`${PEOPLE} confirmations leave in`);
  await isSound(page);
  await expect.poll(() => arrivedAt("sent.example").length, { timeout: 40_000 }).toBe(PEOPLE);
  expect(new Set(arrivedAt("sent.example")).size).toBe(PEOPLE);
  await expect(underWay(page)).not.toContainText("leave in");

  // Who was asked a moment ago gets none, and the question says so.
  await page.goto(dashboard.at("/people?q=sent.example"));
  await page.getByRole("checkbox", { name: "Select everybody on this page" }).check();
  await bar(page).getByRole("button", { name: "Send 100 confirmations" }).click();
  const nobody = page.getByRole("dialog", { name: "Nobody gets a mail" });
  await expect(nobody).toContainText("100 asked a minute ago");
  await expect(nobody.getByRole("button", { name: "Send nothing" })).toBeDisabled();
  await page.context().close();
});

test("an import of pending people asks with its number, and its mails can be cancelled: the people stay, not asked", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(dashboard.at("/imports/new"));
  await expect(page.locator("[data-ready] .cm-content")).toBeVisible();
  await page.evaluate(() =>
    navigator.clipboard.writeText(
      "Ada Lovelace <ada@fair.example>\ngrace@fair.example\nreader1@lovelace.org",
    ),
  );
  await page.getByRole("textbox", { name: "The list" }).click();
  await page.keyboard.press("ControlOrMeta+v");
  await page.getByRole("radio", { name: /^Pending/ }).check();
  await page.getByRole("button", { name: "Check 3 people" }).click();
  await page.getByLabel("Where did they agree?").fill("Spring fair");
  await page.getByRole("checkbox", { name: /agreed to be written to/ }).check();
  await page.getByRole("button", { name: "Add 2 people" }).click();
  const question = page.getByRole("dialog", { name: "Add 2 people and send 2 confirmations?" });
  await expect(question).toContainText("To Ada and grace@fair.example.");
  await expect(question).toContainText("1 is on the list already and stays unchanged");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole("button", { name: "Add 2 people" }).click();
  await question.getByRole("button", { name: "Add 2 people and send 2 confirmations" }).click();
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
  // The page that imports shows them as soon as they wait, not at its next look.
  await underWay(page).getByRole("button", { name: "Cancel 2 confirmations" }).click({ timeout: 8_000 });
  await expect(page.getByText("The people stay on the list, pending and not asked.")).toBeVisible();
  await expect(page.getByText("their confirmations were cancelled")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.context().close();
  expect(arrivedAt("fair.example")).toEqual([]);
});

test("failed mails are sent again after a question, together; cancelled they are failed ones again", async ({
  browser,
}) => {
  for (const name of ["one", "two"]) resend.fault({ kind: "reject", address: `${name}@failed.example` });
  const answer = await dashboard.call(
    "POST",
    "/subscribers/bulk",
    ["one", "two"].map((name) => ({ email: `${name}@failed.example`, name, status: "pending" })),
  );
  expect(answer.status).toBe(201);
  const page = await dashboard.open(browser, "editor");
  await mailsAre(dashboard, "failed", 2);
  await page.goto(dashboard.at("/mails"));
  await expect(page.getByText("2 mails failed")).toBeVisible();
  resend.heal();
  await page.getByRole("button", { name: "Send 2 again" }).click();
  const question = page.getByRole("dialog", { name: "Send 2 mails again?" });
  await expect(question).toContainText("To one and two.");
  await question.getByRole("button", { name: "Send 2 mails again" }).click();
  await underWay(page).getByRole("button", { name: "Cancel 2 mails" }).click();
  await expect(page.getByText("2 mails cancelled; none of them left.")).toBeVisible();
  await expect(page.getByText("2 mails failed")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.context().close();
});
