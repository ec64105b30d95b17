import { expect, test } from "@playwright/test";
import { version } from "../server/kernel/version";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile } from "./fixtures/dashboard";
import { PASSWORD } from "./fixtures/furnished";
import { staffAt } from "./fixtures/staff";

const dashboard = dashboardOfFile();

test("signed-out visitors go to the sign-in page and then to their page, never to another site", async () => {
  const page = await dashboard.open("nobody");
  const wanted = dashboard.at("/people?status=active");
  // Browsers request it beside a page without a known icon.
  expect((await page.request.get(`${dashboard.url}/favicon.ico`)).status()).toBe(200);
  await page.goto(wanted);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await checkAccessibility(page);
  await page.getByLabel("Email").fill(dashboard.email("owner"));
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Wrong email or password");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(wanted);
  // Its rows come once the page answers clicks, too.
  await expect(page.getByText("1–100 of 225")).toBeVisible();
  await page.getByRole("button", { name: /owner/ }).click();
  await expect(page.getByText(`Rollcall ${version}`)).toBeVisible();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto(dashboard.at(""));
  await expect(page).toHaveURL(/\/sign-in/);

  await page.goto(`${dashboard.url}/sign-in?next=https://evil.example/`);
  await page.getByLabel("Email").fill(dashboard.email("viewer"));
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(new RegExp(`^${dashboard.url}/n/`));
});

test("removing an owner's role shows which invitations are withdrawn and which API keys keep working", {
  tag: "@thorough",
}, async () => {
  const url = dashboard.url;
  const { newsletterId } = dashboard;
  const { trpc } = await staffAt(url, dashboard.email("owner"), PASSWORD);
  const { staff } = await trpc.account.staff.query();
  const id = staff.find((one) => one.role === "editor")?.id as string;
  await trpc.account.setRole.mutate({ id, role: "owner" });
  const theirs = (await staffAt(url, dashboard.email("editor"), PASSWORD)).trpc;
  const invited = await theirs.account.invite.mutate({
    invitation: { email: dashboard.email("grace"), role: "owner" },
  });
  await theirs.keys.create.mutate({ newsletterId, key: { name: "Shop" } });

  const page = await dashboard.open("owner");
  await page.goto(`${url}/n/${newsletterId}/settings/staff`);
  const menu = page
    .getByRole("listitem")
    .filter({ hasText: dashboard.email("editor") })
    .getByRole("button");
  const made = [
    "1 open invitation of theirs is withdrawn",
    `${dashboard.email("grace")} as owner`,
    "1 API key they created still works",
  ];
  await menu.click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  for (const text of made) await expect(page.getByRole("dialog")).toContainText(text);
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
  await expect(
    page.getByText(`withdrew the invitation of ${dashboard.email("grace")} as owner`),
  ).toBeVisible();
  await page.goto(url + new URL(invited.url).pathname);
  await expect(page.getByLabel("Your name")).toHaveCount(0);
});

test("a newsletter is archived, deleted and restored; meanwhile it is read-only and rejects its key", {
  tag: "@thorough",
}, async () => {
  const url = dashboard.url;
  const { trpc } = await staffAt(url, dashboard.email("owner"), PASSWORD);
  const { id: newsletterId } = await trpc.newsletters.create.mutate({ name: "Monthly" });
  await trpc.people.add.mutate({ newsletterId, person: { email: "ada@lovelace.org", status: "active" } });
  const { secret } = await trpc.keys.create.mutate({ newsletterId, key: { name: "Shop" } });
  const page = await dashboard.open("owner");
  const add = (email: string) =>
    page.request.post(`${url}/api/v1/subscribers`, {
      headers: { authorization: `Bearer ${secret}` },
      data: { email },
    });
  expect((await add("grace@navy.mil")).status()).toBe(201);

  await page.goto(`${url}/n/${newsletterId}/settings`);
  await page.getByRole("button", { name: "Archive …" }).click();
  await page.getByRole("button", { name: "Archive newsletter" }).click();
  await expect(page.getByText("it is read-only and sends no email.")).toBeVisible();
  const refused = await add("alan@bletchley.org");
  expect([refused.status(), (await refused.json()).code]).toEqual([403, "api_access_disabled"]);
  await page.goto(`${url}/n/${newsletterId}/people`);
  await expect(page.getByText("grace@navy.mil")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add person" })).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Select grace@navy.mil" }).check();
  const bar = page.getByRole("region", { name: "Selected people" });
  await expect(bar.getByRole("button")).toHaveText(["Export", ""]);

  await page.goto(`${url}/n/${newsletterId}/settings`);
  await page.getByRole("button", { name: "Delete …" }).click();
  const remove = page.getByRole("button", { name: "Delete newsletter" });
  await expect(page.getByRole("dialog")).toContainText("with 2 people");
  await expect(remove).toBeDisabled();
  await page.getByLabel("Type Monthly to be sure").fill("Monthly");
  await remove.click();
  await expect(page.getByText("Monthly is deleted. It and its people are removed for good")).toBeVisible();
  // The start page leads to an open newsletter.
  await page.goto(url);
  await expect(page).toHaveURL(new RegExp(dashboard.newsletterId));
  await page.goto(`${url}/n/${newsletterId}`);
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("Monthly is active again.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(0);
  expect((await add("alan@bletchley.org")).status()).toBe(201);
});

test("a new newsletter shows first steps, ticks off finished ones, and stays silent once they are hidden", async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at(""));
  const list = page.getByRole("region", { name: /^Get started/ });
  await expect(list).toContainText("Import your subscribers: done");
  await expect(list).toContainText("Make your first API call: done");
  await checkAccessibility(page);
  await list.getByRole("link", { name: "Set up the page" }).click();
  await page.getByRole("switch", { name: "Page is on" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. The page is on.")).toBeVisible();
  await page.goto(dashboard.at(""));
  await expect(list).toContainText("Add a sign-up form: done");
  await list.getByRole("button", { name: "Hide" }).click();
  await expect(list).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Active people" })).toBeVisible();
  await expect(list).toHaveCount(0);
});
