import { expect, type Page, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, holdRequest } from "./fixtures/dashboard";

// Each goes on with what the one before has suppressed.
test.describe.configure({ mode: "serial" });

const dashboard = dashboardOfFile();

async function open(role: "editor" | "viewer"): Promise<Page> {
  const page = await dashboard.open(role);
  await page.goto(dashboard.at("/suppressions"));
  return page;
}

const create = async (email: string) =>
  (await (await dashboard.call("POST", "/subscribers", { email })).json()).code;

const rows = (page: Page) => page.getByRole("table", { name: "Suppressions" }).locator("tbody tr");

test("a pasted table of opt-outs shows a preview, unsubscribes listed people and blocks new creates", async () => {
  const page = await open("editor");
  await expect(page.getByText("No suppressed addresses")).toBeVisible();
  await page.getByRole("button", { name: "Suppress addresses" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Suppress addresses" });
  const send = dialog.getByRole("button", { name: /^Suppress/ });
  await expect(send).toBeDisabled();
  await dialog
    .getByLabel("Addresses")
    .fill(
      [
        "email,reason,date",
        "out@list.example,unsubscribed,2024-03-02",
        "bad@list.example,hard bounce,03/04/2024",
        `${dashboard.email("reader1")},no idea,`,
        "OUT@list.example,spam,",
        "nobody,spam,",
      ].join("\n"),
    );
  await expect(dialog).toContainText("3 addresses will be suppressed.");
  await expect(dialog).toContainText("1 person on the list will be unsubscribed.");
  await expect(dialog).toContainText("1 line with a repeated address is skipped.");
  await expect(dialog).toContainText("1 line without a valid address is skipped.");
  await expect(dialog).toContainText(/Line 6: .*@/);
  await checkAccessibility(page, "a list of opt-outs");
  await dialog.getByRole("combobox", { name: "Reason for 1 address without one" }).click();
  await page.getByRole("option", { name: "Suppressed" }).click();
  await dialog.getByRole("button", { name: "Suppress 3 addresses" }).click();
  await expect(page.getByText("3 addresses are suppressed, and 1 person unsubscribed.")).toBeVisible();

  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(0)).toContainText(/reader1@\S+\s*Suppressed/);
  await expect(rows(page).nth(1)).toContainText(/bad@list\.example\s*Bounced/);
  await expect(rows(page).nth(2)).toContainText(/out@list\.example\s*Unsubscribed\s*2 Mar 2024\s*A list/);
  await checkAccessibility(page);
  for (const email of ["out@list.example", "bad@list.example"])
    expect(await create(email)).toBe("email_suppressed");
  const { data } = await (
    await dashboard.call("GET", `/subscribers?email=${dashboard.email("reader1")}`)
  ).json();
  expect(data).toMatchObject([{ status: "unsubscribed" }]);
});

test("a search finds part of an address, or the whole address of an erased person; a reason filters", async () => {
  const { data } = await (
    await dashboard.call("GET", `/subscribers?email=${dashboard.email("reader2")}`)
  ).json();
  await dashboard.call("DELETE", `/subscribers/${data[0].id}`);
  await dashboard.call("PUT", `/subscribers/${data[0].id}`, { email: dashboard.email("renamed") });
  const page = await open("editor");
  const search = page.getByRole("searchbox", { name: "Search by address" });
  await search.fill("ut@LIST");
  await expect(rows(page)).toHaveCount(1);
  await search.fill("reader2@");
  await expect(page.getByText("No suppression matches")).toBeVisible();
  await search.fill(dashboard.email("READER2"));
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(/an erased or changed address\s*Unsubscribed.*Themselves/);
  await expect(rows(page).getByRole("button")).toHaveCount(0);
  await search.fill("");
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole("button", { name: "Reason" }).click();
  await page.getByRole("menuitemradio", { name: "Bounced" }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/reason=bounced/);
});

test("lifting needs a reason, which the audit log keeps; listed people who unsubscribed are not lifted", async () => {
  const page = await open("editor");
  await page.getByRole("button", { name: "Lift bad@list.example" }).click();
  const dialog = page.getByRole("dialog", { name: /bad@list\.example/ });
  const lift = dialog.getByRole("button", { name: "Lift 1 suppression" });
  await expect(lift).toBeDisabled();
  await dialog.getByLabel("Why").fill("They wrote to us from this address");
  await lift.click();
  await expect(page.getByText("bad@list.example can be added and receive email again.")).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  expect(await create("bad@list.example")).toBeUndefined();

  await page.getByRole("button", { name: `Lift ${dashboard.email("reader1")}` }).click();
  const other = page.getByRole("dialog", { name: /reader1@/ });
  await other.getByLabel("Why").fill("A slip");
  await other.getByRole("button", { name: "Lift 1 suppression" }).click();
  await expect(other.getByRole("alert")).toContainText("Only they can lift this suppression");
  await other.getByRole("button", { name: "Cancel" }).click();

  const owner = await dashboard.open("owner");
  await owner.goto(dashboard.at("/settings/log"));
  const log = owner.getByRole("listitem");
  await expect(log.filter({ hasText: "They wrote to us from this address" })).toContainText(
    "editor lifted a suppression",
  );
  await expect(log.filter({ hasText: "suppressed 3 addresses" })).toHaveCount(1);
});

test("a file of 2,500 is sent in several calls and makes one audit entry; a repeat changes nothing", async () => {
  const page = await open("editor");
  const text = Array.from({ length: 2_500 }, (_, i) => `gone${i}@list.example`).join("\n");
  const dialog = page.getByRole("dialog", { name: "Suppress addresses" });
  async function send(outlook: string, done: string): Promise<void> {
    await page.getByRole("button", { name: "Suppress addresses" }).click();
    const file = { name: "opt-outs.txt", mimeType: "text/plain", buffer: Buffer.from(text) };
    await dialog.locator("input[type=file]").setInputFiles(file);
    await expect(dialog).toContainText(outlook);
    await dialog.getByRole("button", { name: "Suppress 2,500 addresses" }).click();
    await expect(page.getByText(done, { exact: true })).toBeVisible();
  }
  await send("2,500 addresses will be suppressed.", "2,500 addresses are suppressed.");
  await send("2,500 addresses are already suppressed.", "0 addresses are suppressed.");
  const { pagination } = await (await dashboard.call("GET", "/suppressions?limit=1")).json();
  expect(pagination.total).toBe(2_503);
  const owner = await dashboard.open("owner");
  await owner.goto(dashboard.at("/settings/log"));
  await expect(owner.getByText("suppressed 2,500 addresses")).toHaveCount(2);
});

test("typed text replaces a file that is still being read or checked, and the error of a failed send", async () => {
  const page = await open("editor");
  await page.getByRole("button", { name: "Suppress addresses" }).click();
  const dialog = page.getByRole("dialog", { name: "Suppress addresses" });
  const addresses = dialog.getByLabel("Addresses");
  const send = dialog.getByRole("button", { name: /^Suppress \d/ });
  const text = Array.from({ length: 2_500 }, (_, i) => `gone${i}@list.example`).join("\n");
  const choose = () =>
    dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "opt-outs.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  /** Chooses the file, and types another address while a request for the file is held. */
  async function typeDuring(url: string, typed: string) {
    const { asked, release } = await holdRequest(page, url);
    await choose();
    await asked;
    await addresses.fill(typed);
    await expect(send).toHaveText("Suppress 1 address");
    await release();
    await expect(send).toBeEnabled();
  }

  // The dialog itself loads with the click, and the reader of files with the first file.
  await expect(addresses).toBeVisible();
  await typeDuring("**/_next/static/chunks/**", "gone1@list.example");
  const calls: string[] = [];
  page.on("request", (asked) => asked.url().includes("suppressions.check") && calls.push(asked.url()));
  await typeDuring("**/api/trpc/suppressions.check*", "gone2@list.example");
  await page.route("**/api/trpc/suppressions.add*", (route) => route.abort("internetdisconnected"));
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("Rollcall can't be reached");
  await addresses.fill("gone3@list.example");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(send).toBeEnabled();
  // One for the file's first part, and one for each text.
  expect(calls).toHaveLength(3);
});

test("viewers can see the list but not change it", async () => {
  const page = await open("viewer");
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name: /Suppress|Lift/ })).toHaveCount(0);
});
