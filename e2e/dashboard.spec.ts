import { expect, test } from "@playwright/test";
import { version } from "../server/version";
import { dashboardOfFile, faultsOf, signIn } from "./fixtures/dashboard";
import { staffAt } from "./fixtures/staff";

const dashboard = dashboardOfFile();

const places = [
  { path: "", heading: /people read Weekly/ },
  { path: "/people", heading: /^People/ },
  { path: "/imports", heading: /^Imports/ },
  { path: "/suppressions", heading: /^Suppressions/ },
  { path: "/mails", heading: /^Mails/ },
  { path: "/api", heading: /^API/ },
  { path: "/settings", heading: /^Settings/ },
];

test("who is not signed in comes to the sign-in page, and from there back to where they wanted", async ({
  page,
}) => {
  const wanted = `/n/${dashboard.newsletterId}/people?status=active`;
  // What browsers ask for beside a page whose icon they have not seen yet.
  expect((await page.request.get(`${dashboard.product.url}/favicon.ico`)).status()).toBe(200);
  await page.goto(dashboard.product.url + wanted);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel("Email").fill("owner@rollcall.dev");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("don't go together");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(dashboard.product.url + wanted);
  // Its rows come once the page answers clicks, too.
  await expect(page.getByText("1–100 of 225")).toBeVisible();
  await page.getByRole("button", { name: /owner/ }).click();
  await expect(page.getByText(`Rollcall ${version}`)).toBeVisible();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto(dashboard.at(""));
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a link to elsewhere does not take who signs in away", async ({ page }) => {
  await page.goto(`${dashboard.product.url}/sign-in?next=https://evil.example/`);
  await signIn(page, dashboard.product.url, "viewer@rollcall.dev");
  await expect(page).toHaveURL(new RegExp(`^${dashboard.product.url}/n/`));
});

for (const role of ["owner", "editor", "viewer"] as const) {
  test(`each page as ${role}, in the light and the dark: axe finds nothing, nothing is cut off at 390`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const page = await dashboard.open(browser, role);
    for (const { path, heading } of places) {
      await page.goto(dashboard.at(path));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 1280, height: 800 });
        expect(await faultsOf(page), `${path} in the ${colorScheme}`).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, `${path} in the ${colorScheme} at 390`).toBeLessThanOrEqual(390);
      }
    }
    await page.context().close();
  });
}

test("the first load of the list is under 300 kB of JavaScript", async ({ browser }) => {
  const page = await dashboard.open(browser, "owner");
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const kinds = new Map<string, string>();
  let bytes = 0;
  client.on("Network.responseReceived", (event) => kinds.set(event.requestId, event.type));
  client.on("Network.loadingFinished", (event) => {
    if (kinds.get(event.requestId) === "Script") bytes += event.encodedDataLength;
  });
  await page.goto(dashboard.at("/people"));
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await page.waitForTimeout(500);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(300_000);
  await page.context().close();
});

test("who takes an owner's rights away sees which invitations go with them and which API keys go on working", async ({
  browser,
}) => {
  const url = dashboard.product.url;
  const { newsletterId } = dashboard;
  const { trpc } = await staffAt(url, "owner@rollcall.dev", "a long enough password");
  const { staff } = await trpc.account.staff.query();
  const id = staff.find((one) => one.role === "editor")?.id as string;
  await trpc.account.setRole.mutate({ id, role: "owner" });
  const theirs = (await staffAt(url, "editor@rollcall.dev", "a long enough password")).trpc;
  const invited = await theirs.account.invite.mutate({
    invitation: { email: "grace@navy.mil", role: "owner" },
  });
  await theirs.keys.create.mutate({ newsletterId, key: { name: "Shop" } });

  const page = await dashboard.open(browser, "owner");
  await page.goto(`${url}/n/${newsletterId}/settings/staff`);
  const menu = page.getByRole("listitem").filter({ hasText: "editor@rollcall.dev" }).getByRole("button");
  const made = [
    "1 open invitation of theirs is withdrawn",
    "grace@navy.mil as owner",
    "1 API key they made goes on",
  ];
  await menu.click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  for (const text of made) await expect(page.getByRole("dialog")).toContainText(text);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).click();
  await menu.click();
  await page.getByRole("menuitemradio", { name: "Make editor" }).click();
  for (const text of made) await expect(page.getByRole("dialog")).toContainText(text);
  await expect(page.getByRole("dialog").getByRole("link", { name: "Shop" })).toHaveAttribute(
    "href",
    `/n/${newsletterId}/api`,
  );
  await page.getByRole("button", { name: "Make 1 person an editor" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto(`${url}/n/${newsletterId}/settings/log`);
  await expect(page.getByText("withdrew the invitation of grace@navy.mil as owner")).toBeVisible();
  await page.goto(url + new URL(invited.url).pathname);
  await expect(page.getByLabel("Your name")).toHaveCount(0);
  await page.context().close();
});

test("a newsletter is archived, deleted and brought back; meanwhile it is read-only, and its key is refused", async ({
  browser,
}) => {
  const url = dashboard.product.url;
  const { trpc } = await staffAt(url, "owner@rollcall.dev", "a long enough password");
  const { id: newsletterId } = await trpc.newsletters.create.mutate({ name: "Monthly" });
  await trpc.people.add.mutate({ newsletterId, person: { email: "ada@lovelace.org", status: "active" } });
  const { secret } = await trpc.keys.create.mutate({ newsletterId, key: { name: "Shop" } });
  const page = await dashboard.open(browser, "owner");
  const add = (email: string) =>
    page.request.post(`${url}/api/v1/subscribers`, {
      headers: { authorization: `Bearer ${secret}` },
      data: { email },
    });
  expect((await add("grace@navy.mil")).status()).toBe(201);

  await page.goto(`${url}/n/${newsletterId}/settings`);
  await page.getByRole("button", { name: "Archive …" }).click();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Archive newsletter" }).click();
  await expect(page.getByText("nobody is added, and no mail leaves.")).toBeVisible();
  const refused = await add("alan@bletchley.org");
  expect([refused.status(), (await refused.json()).code]).toEqual([403, "api_access_disabled"]);
  await page.goto(`${url}/n/${newsletterId}/people`);
  await expect(page.getByText("grace@navy.mil")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add person" })).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Select grace@navy.mil" }).check();
  const bar = page.getByRole("region", { name: "Selected people" });
  await expect(bar.getByRole("button")).toHaveText(["Export", ""]);
  expect(await faultsOf(page)).toEqual([]);

  await page.goto(`${url}/n/${newsletterId}/settings`);
  await page.getByRole("button", { name: "Delete …" }).click();
  const remove = page.getByRole("button", { name: "Delete newsletter" });
  await expect(page.getByRole("dialog")).toContainText("with 2 people");
  await expect(remove).toBeDisabled();
  await page.getByLabel("Type Monthly to be sure").fill("Monthly");
  expect(await faultsOf(page)).toEqual([]);
  await remove.click();
  await expect(page.getByText("Monthly is deleted. It and its people are removed for good")).toBeVisible();
  // Whoever comes without an address is led to one that is open.
  await page.goto(url);
  await expect(page).toHaveURL(new RegExp(dashboard.newsletterId));
  await page.goto(`${url}/n/${newsletterId}`);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByText("Monthly is open again.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bring it back" })).toHaveCount(0);
  expect((await add("alan@bletchley.org")).status()).toBe(201);
  await page.context().close();
});
