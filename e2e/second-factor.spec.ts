import { expect, type Page, test } from "@playwright/test";
import { withClient } from "../server/platform/postgres/sessions";
import { codeOf } from "../server/test/authenticator";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, signIn } from "./fixtures/dashboard";
import { PASSWORD, type Role } from "./fixtures/furnished";

const dashboard = dashboardOfFile({ readers: false });
/** By its name: a passkey belongs to a domain, and an address is none. */
let url: string;

test.beforeAll(() => {
  url = dashboard.url.replace("127.0.0.1", "localhost");
});

/** A page of a browser whose authenticator knows a finger, and gives it at once. */
async function newPage(): Promise<Page> {
  const page = await dashboard.open("nobody");
  const authenticator = await page.context().newCDPSession(page);
  await authenticator.send("WebAuthn.enable");
  await authenticator.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

const typePassword = (page: Page, role: Role) => signIn(page, url, dashboard.email(role));

async function signOut(page: Page): Promise<void> {
  // Requests of an open page without cookies would redirect the next visit to sign-in.
  await page.goto("about:blank");
  await page.context().clearCookies();
}

const atHome = (page: Page) =>
  expect(page.getByRole("heading", { level: 1 })).toHaveText("No subscribers yet");
const settings = (page: Page, of = "you") => page.goto(`${url}/n/${dashboard.newsletterId}/settings/${of}`);
const you = (page: Page) => page.getByRole("region", { name: "You" });

test("an authenticator app is set up and required, and a recovery code replaces it once", {
  tag: "@thorough",
}, async () => {
  const page = await newPage();
  await typePassword(page, "viewer");
  await atHome(page);
  await settings(page);
  await you(page).getByRole("button", { name: "Set up" }).click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code of the secret" })).toBeVisible();
  const secret = (await page.getByRole("region", { name: "The secret" }).locator("pre").textContent()) ?? "";
  await page.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.getByRole("button", { name: "Set up", exact: true }).last().click();
  await expect(page.getByRole("alert").filter({ hasText: /./ })).toContainText("This code is wrong");
  await page.getByRole("textbox", { name: "Code" }).fill(codeOf(secret));
  await page.getByRole("button", { name: "Set up", exact: true }).last().click();
  const codes = (
    (await page.getByRole("region", { name: "Recovery codes" }).locator("pre").textContent()) ?? ""
  ).split("\n");
  expect(codes).toHaveLength(10);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(you(page)).toContainText("asks for a code after your password");

  await signOut(page);
  await typePassword(page, "viewer");
  const code = page.getByRole("textbox", { name: "Code" });
  await expect(code).toBeFocused();
  // Until then nobody is signed in.
  expect((await page.request.get(`${url}/api/trpc/sessions.list`)).status()).toBe(401);
  await code.fill("123 456");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /./ })).toContainText("This code is wrong");
  // The code of the set-up is used; the next one is accepted half a minute early.
  await code.fill(codeOf(secret, Date.now() + 30_000));
  await page.getByRole("button", { name: "Sign in" }).click();
  await atHome(page);

  for (const works of [true, false]) {
    await signOut(page);
    await typePassword(page, "viewer");
    await page.getByRole("link", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] as string);
    await page.getByRole("button", { name: "Sign in" }).click();
    if (works) await atHome(page);
    else
      await expect(page.getByRole("alert").filter({ hasText: /./ })).toContainText(
        "This recovery code is wrong",
      );
  }
});

test("a passkey is added, signs in without a password, and is removed", { tag: "@thorough" }, async () => {
  const page = await newPage();
  await typePassword(page, "owner");
  await atHome(page);
  await settings(page);
  await you(page).getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added.")).toBeVisible();
  await expect(you(page).getByRole("listitem").first()).toContainText("Chrome on Linux");
  await signOut(page);
  await page.goto(`${url}/sign-in`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await atHome(page);
  await settings(page);
  await you(page)
    .getByRole("button", { name: /Remove the passkey/ })
    .click();
  await page.getByRole("button", { name: "Remove 1 passkey" }).click();
  await expect(page.getByText("Passkey removed.")).toBeVisible();
  await signOut(page);
  await page.goto(`${url}/sign-in`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /./ })).toContainText(
    "This passkey is not registered here",
  );
});

test("an account requires a second factor: nothing is shown before it is set up, and the password alone no longer signs in", async () => {
  const owner = await newPage();
  await typePassword(owner, "owner");
  await atHome(owner);
  await settings(owner, "staff");
  const demand = owner.getByRole("switch", { name: "Require two-factor authentication" });
  await demand.click();
  await expect(owner.getByText("authenticator app yourself first")).toBeVisible();
  await settings(owner);
  await you(owner).getByRole("button", { name: "Add a passkey" }).click();
  await expect(owner.getByText("Passkey added.")).toBeVisible();
  await settings(owner, "staff");
  await demand.click();
  await expect(demand).toBeChecked();

  const editor = await newPage();
  await typePassword(editor, "editor");
  await expect(editor.getByRole("heading", { name: "One more step" })).toBeVisible();
  await checkAccessibility(editor);
  await editor.goto(`${url}/n/${dashboard.newsletterId}/people`);
  await expect(editor.getByRole("heading", { name: "One more step" })).toBeVisible();
  await editor.getByRole("button", { name: "Add a passkey" }).click();
  await atHome(editor);
  await signOut(editor);
  await typePassword(editor, "editor");
  await expect(editor.getByRole("alert").filter({ hasText: /./ })).toContainText("Sign in with the passkey");
  expect((await editor.request.get(`${url}/api/trpc/sessions.list`)).status()).toBe(401);
  await editor.getByRole("button", { name: "Use a passkey" }).click();
  await atHome(editor);

  await demand.click();
  await expect(demand).not.toBeChecked();
});

test("when the session ends while a form is filled in, staff sign in again in place, and the typed text is saved", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("nobody");
  await typePassword(page, "owner");
  await atHome(page);
  await page.goto(`${url}/n/${dashboard.newsletterId}/settings`);
  await page.getByLabel("Replies go to").fill("desk@paper.example");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save" }).click();
  const asked = page.getByRole("dialog", { name: "Is it you?" });
  await asked.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await asked.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Saved. Existing emails keep")).toBeVisible();
  await expect(page.getByLabel("Replies go to")).toHaveValue("desk@paper.example");

  // Nothing is typed, so nothing is lost.
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Tags", exact: true }).click();
  await page.waitForURL(/\/sign-in\?next=/);
});

test("an old session confirms the sign-in before a form is filled in; Esc closes one layer and keeps typed text", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("nobody");
  await typePassword(page, "owner");
  await atHome(page);
  const makeOld = () =>
    withClient(dashboard.databaseUrl, (client) =>
      client.query(
        `UPDATE staff_sessions SET created_at = now() - interval '16 minutes'
          WHERE staff_id = (SELECT id FROM staff_members WHERE email = $1)`,
        [dashboard.email("owner")],
      ),
    );
  await makeOld();
  await page.goto(`${url}/n/${dashboard.newsletterId}/api`);
  const open = page.getByRole("button", { name: "New key" });
  const form = page.getByRole("dialog", { name: "New key" });
  const asked = page.getByRole("dialog", { name: "Is it you?" });
  await open.click();
  await expect(asked).toContainText(dashboard.email("owner"));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await open.click();
  await asked.getByRole("textbox", { name: "Password" }).fill("not the password");
  await asked.getByRole("button", { name: "Confirm" }).click();
  await expect(asked.getByRole("alert").filter({ hasText: /./ })).toContainText("Wrong email or password");
  await asked.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await asked.getByRole("button", { name: "Confirm" }).click();
  await expect(asked).toHaveCount(0);
  await form.getByLabel("Name").fill("Shop");

  // The session gets old while the form is open.
  await makeOld();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(asked).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(asked).toHaveCount(0);
  await expect(form.getByLabel("Name")).toHaveValue("Shop");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await form.getByLabel("Name").press("Escape");
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(form.getByLabel("Name")).toHaveValue("Shop");
  await page.getByRole("button", { name: "Create key" }).click();
  await asked.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await asked.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/^sk_[0-9A-Za-z]{32}$/)).toBeVisible();
});
