import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { withClient } from "../server/platform/postgres/sessions";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile } from "./fixtures/dashboard";
import { arrowTo } from "./fixtures/keys";

const dashboard = dashboardOfFile();

// Each counts what the ones before have asked.
test.describe.configure({ mode: "serial" });

const log = (page: Page) => page.getByRole("region", { name: "Requests" });
const rows = (page: Page) => log(page).getByRole("listitem");

/** Waits for the log, which is written once a second. */
async function areLogged(operation: string, count: number): Promise<void> {
  const query = "SELECT FROM api_requests WHERE newsletter_id = $1 AND operation = $2";
  await withClient(dashboard.databaseUrl, (client) =>
    expect
      .poll(async () => (await client.query(query, [dashboard.newsletterId, operation])).rowCount)
      .toBe(count),
  );
}

test("an accepted and a rejected call appear without a reload, each with its request and result", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/api"));
  // The three bulks that filled the newsletter.
  await expect(rows(page)).toHaveCount(3);
  expect((await dashboard.call("POST", "/subscribers", { email: dashboard.email("ada") })).status).toBe(201);
  const id = { "x-request-id": "order-7781" };
  expect((await dashboard.call("POST", "/subscribers", { email: dashboard.email("ada") }, id)).status).toBe(
    422,
  );
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).first()).toContainText("422 email_already_subscribed");
  await expect(rows(page).first()).toContainText("Add a person");
  await expect(rows(page).first()).toContainText("POST /subscribers");
  await expect(rows(page).nth(1)).toContainText("201");
  await expect(rows(page).nth(2)).toContainText("Add people in bulk");
  // The key's own time of use, without a reload.
  await expect(rows(page).first().locator("time")).toHaveAttribute("title", /20\d\d/);
  await rows(page).first().getByRole("button").click();
  const panel = page.getByRole("complementary", { name: "Request" });
  await expect(panel).toContainText("order-7781");
  await expect(panel).toContainText("email_already_subscribed");
  await expect(panel.getByLabel("The same call with curl")).toContainText(
    /^curl -X POST '.*\/api\/v1\/subscribers'/,
  );
  await checkAccessibility(page);
  await page.keyboard.press("j");
  await expect(panel).toContainText("201");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(rows(page).nth(1).getByRole("button")).toBeFocused();
});

test("filters are set by keyboard alone and stored in the URL, and the URL restores them", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/api"));
  await expect(rows(page)).toHaveCount(5);
  await log(page).getByRole("button", { name: "Answer" }).focus();
  await page.keyboard.press("Enter");
  const rejected = page.getByRole("menuitemradio", { name: /^Rejected/ });
  await arrowTo(rejected);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/answer=rejected/);
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await log(page).getByRole("button", { name: "Operation" }).click();
  await page.getByRole("menuitemradio", { name: "List people" }).click();
  await expect(page.getByRole("heading", { name: "No matching requests in the last 30 days" })).toBeVisible();
  await log(page).getByRole("button", { name: "Show all" }).last().click();
  await expect(rows(page)).toHaveCount(5);
  // A code in a request narrows to it; a key at the left to its own.
  await rows(page).getByRole("button", { name: "email_already_subscribed" }).click();
  await page.getByRole("button", { name: "Show only this answer" }).click();
  await expect(page).toHaveURL(/answer=email_already_subscribed/);
  await expect(rows(page)).toHaveCount(1);
  await page.goto(dashboard.at("/api"));
  await page.getByRole("region", { name: "Keys" }).getByRole("button", { pressed: false }).first().click();
  await expect(page).toHaveURL(/key=/);
  await expect(rows(page)).toHaveCount(5);
});

test("older requests are on the next page", async () => {
  await Promise.all(Array.from({ length: 60 }, () => dashboard.call("GET", "/subscribers?limit=1")));
  await areLogged("listSubscribers", 60);
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/api?operation=listSubscribers"));
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole("button", { name: "Show older" }).click();
  await expect(rows(page)).toHaveCount(60);
});

test("an endpoint is created, tested, sent an event and repaired after a failure; viewers change nothing", async () => {
  test.setTimeout(240_000);
  const told: { body: string; headers: Record<string, string> }[] = [];
  let status = 500;
  const shop = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    told.push({ body, headers: request.headers as Record<string, string> });
    response.writeHead(status).end(status === 500 ? "The shop is closed." : "");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/rollcall`;

  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/api"));
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.getByRole("button", { name: "New webhook" }).first().click();
  const form = page.getByRole("dialog", { name: "New webhook" });
  await form.getByRole("textbox", { name: "URL" }).fill("https://10.0.0.1/rollcall");
  await form.getByRole("button", { name: "Create webhook" }).click();
  await expect(form.getByRole("textbox", { name: "URL" })).toHaveAccessibleDescription(
    /not a public internet address/,
  );
  await form.getByRole("textbox", { name: "URL" }).fill(address);
  await form.getByRole("textbox", { name: "Name" }).fill("Shop");
  await form.getByRole("button", { name: "Create webhook" }).click();
  const shown = page.getByRole("dialog", { name: "Webhook created" });
  const secret = (await shown.locator("pre").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await shown.getByRole("button", { name: "I have copied it" }).click();

  const endpoint = page.getByRole("list", { name: "Endpoints" }).getByRole("listitem");
  await expect(endpoint).toContainText("no deliveries yet");
  await endpoint.getByRole("button", { name: "More for Shop" }).click();
  await page.getByRole("menuitem", { name: "Send a test" }).click();
  await expect(page.getByText("The test failed. It answered 500.")).toBeVisible();

  await dashboard.call("POST", "/subscribers", { email: "katherine@johnson.org", name: "Katherine" });
  await expect(endpoint).toContainText("It answered 500.");
  await expect(endpoint).toContainText("1 waiting");
  const message = page.getByRole("region", { name: "Deliveries to Shop" }).getByRole("listitem");
  await message.getByRole("button").click();
  const panel = page.getByRole("complementary", { name: "Message" });
  await expect(panel.getByLabel("Request body")).toContainText("katherine@johnson.org");
  await expect(panel.getByLabel("Response")).toContainText("The shop is closed.");
  await checkAccessibility(page);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);

  // The shop opens again; off and on, it is tried at once.
  status = 204;
  for (const step of ["off", "on"]) {
    await endpoint.getByRole("button", { name: "More for Shop" }).click();
    await page.getByRole("menuitem", { name: `Turn ${step}` }).click();
    await expect(page.getByText(`Shop is ${step}.`)).toBeVisible();
  }
  // The job ends with the only endpoint, and the next one begins within a minute.
  await expect(message).toContainText("Delivered", { timeout: 100_000 });
  await expect(endpoint).toContainText("delivered just now");
  for (const { body, headers } of told) new Webhook(secret).verify(body, headers);
  const last = told.at(-1);
  expect(last?.body).toBe(told[1]?.body);
  const before = told.length;
  await message.getByRole("button").click();
  await panel.getByRole("button", { name: "Send again", exact: true }).click();
  await expect.poll(() => told.length).toBe(before + 1);
  expect(told.at(-1)?.headers["webhook-id"]).toBe(last?.headers["webhook-id"]);

  const viewer = await dashboard.open("viewer");
  await viewer.goto(dashboard.at("/api/webhooks"));
  await expect(viewer.getByText("Shop").first()).toBeVisible();
  await expect(viewer.getByText(/^http:\/\/127\.0\.0\.1:\d+\/…$/)).toBeVisible();
  await expect(viewer.getByRole("button", { name: /More for|New webhook/ })).toHaveCount(0);

  await page.getByRole("button", { name: "Close" }).click();
  await endpoint.getByRole("button", { name: "More for Shop" }).click();
  await page.getByRole("menuitem", { name: "Remove …" }).click();
  await page.getByRole("button", { name: "Remove 1 webhook" }).click();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  shop.closeAllConnections();
  shop.close();
});

test("a new key can read and write unless the owner allows more, and nothing once it is revoked", async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/api"));
  await page.getByRole("button", { name: "New key" }).first().click();
  const form = page.getByRole("dialog", { name: "New key" });
  const allowed = form.getByRole("checkbox", { checked: true });
  await expect(form.getByRole("checkbox")).toHaveCount(8);
  await expect(allowed).toHaveCount(2);
  await form.getByLabel("Name").fill("Zapier");
  await form.getByLabel("Newsletters").selectOption("all");
  await form.getByRole("checkbox", { name: "Add, change and unsubscribe people" }).uncheck();
  await form.getByRole("checkbox", { name: /^Create and change webhooks/ }).check();
  await form.getByLabel("Networks").fill("10.0.0.0/8, shop.example.org");
  await checkAccessibility(page);
  await form.getByRole("button", { name: "Create key" }).click();
  await expect(form.getByText("“shop.example.org” is not an IP address or network.")).toBeVisible();
  await form.getByLabel("Networks").fill("10.0.0.0/8, 127.0.0.1, ::1");
  await form.getByRole("button", { name: "Create key" }).click();
  const created = page.getByRole("dialog", { name: "Key created" });
  const secret = /sk_[0-9A-Za-z]{32}/.exec((await created.textContent()) ?? "")?.[0];
  const start = `/api/v1/newsletters/${dashboard.newsletterId}`;
  await expect(created.getByLabel("curl example")).toContainText(`${start}/subscribers`);
  const call = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`${dashboard.url}${start}${path}`, { method, headers })).status;
  };
  expect(await call("GET", "/subscribers")).toBe(200);
  expect(await call("GET", "/webhooks")).toBe(200);
  expect(await call("GET", "/suppressions")).toBe(403);
  await page.reload();
  const row = page.getByRole("region", { name: "Keys" }).getByRole("listitem").filter({ hasText: "Zapier" });
  await expect(row).toContainText("read and webhooks");
  await expect(row).toContainText("works for all newsletters");
  await expect(row).toContainText("only from 10.0.0.0/8, 127.0.0.1, and ::1");
  await row.getByRole("button", { name: "More for Zapier" }).click();
  await page.getByRole("menuitem", { name: "Rotate (the old key works for 24 hours)" }).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  // The old key stands below the key that replaced it.
  await expect(row).toHaveText([/Zapier.*Live/, /Zapier.*Rotated.*expires/]);
  expect(await call("GET", "/subscribers")).toBe(200);
  await row.nth(1).getByRole("button", { name: "More for Zapier" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke 1 key" }).click();
  await expect(page.getByText("Zapier revoked.")).toBeVisible();
  expect(await call("GET", "/subscribers")).toBe(401);
});
