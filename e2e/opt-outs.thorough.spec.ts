import { type APIRequestContext, expect, test } from "@playwright/test";
import type { PlanRow, UploadHead } from "../server/imports/schema/imports";
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();

/** Calls a procedure as the page's staff member would. */
async function call<T>(request: APIRequestContext, path: string, input: object): Promise<T> {
  const { url } = dashboard;
  const answer = await request.post(`${url}/api/trpc/${path}`, {
    headers: { origin: url },
    data: { json: { newsletterId: dashboard.newsletterId, ...input } },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).result.data.json as T;
}

/** Plans a list and begins to carry it out. @returns the path of its page */
async function begin(
  request: APIRequestContext,
  rows: Omit<PlanRow, "line">[],
  more: Partial<UploadHead> = {},
): Promise<string> {
  const lines = rows.map((row, index) => ({ line: index + 1, ...row }));
  const head = { fileName: null, statusRule: "active", ...more };
  const { importId } = await call<{ importId: string }>(request, "imports.begin", { head });
  await call(request, "imports.upload", { importId, part: 0, rows: lines, rejected: [] });
  const made = await call<{ importId: string; digest: string; counts: { new_active: number } }>(
    request,
    "imports.plan",
    { importId },
  );
  const people = made.counts.new_active;
  const consent = people > 0 ? { source: "Spring fair", wording: "", people } : null;
  await call(request, "imports.commit", { importId: made.importId, digest: made.digest, consent });
  return dashboard.at(`/imports/${made.importId}`);
}

const at = "2024-03-02T09:30:00Z";

test("an import shows unsubscribed rows, the meaning of status words and active people who left elsewhere; a person shows the list's status", async () => {
  const page = await dashboard.open("editor");
  const evidence = { optedInAt: "2024-01-01T10:00:00Z", ip: "1.2.3.4", source: "Footer" };
  const path = await begin(
    page.request,
    [
      { email: "new1@navy.mil", name: "Grace Hopper", evidence },
      { email: "new2@navy.mil" },
      { email: "gone@navy.mil", leaving: { reason: "unsubscribed", at } },
      { email: "bounced@navy.mil", leaving: { reason: "bounced", at: null } },
      { email: dashboard.email("reader1"), leaving: { reason: "complained", at } },
      { email: dashboard.email("reader2") },
    ],
    { answers: { "column:State": { cancelled: "unsubscribed", dead: "bounced" } } },
  );
  await page.goto(path);
  const person = page.getByRole("complementary", { name: "Person" });
  const report = page.getByRole("region", { name: "Result" });
  await expect(report).toContainText("4 new");
  await expect(report).toContainText("2 were added as unsubscribed, so that no import can add them back.");
  await expect(report).toContainText(
    "1 of them is unsubscribed in this list but still active or pending here",
  );
  const facts = page.getByRole("region", { name: "About this import" });
  await expect(facts).toContainText("Column State: “cancelled” means unsubscribed");
  const still = page.getByRole("region", { name: "Unsubscribed in the list, but still here" });
  await expect(still.getByRole("listitem")).toHaveText(
    `${dashboard.email("reader1")}complained there, 2 Mar 2024 · active here`,
  );

  await report.getByRole("link", { name: "4 new" }).click();
  await expect(page.getByRole("row")).toHaveCount(5);
  await expect(page.getByRole("row", { name: /bounced@navy\.mil/ })).toContainText("Unsubscribed");
  await page.goBack();
  await report.getByRole("link", { name: /check this person/ }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(
    page.getByRole("button", { name: /On the list, but unsubscribed in Import #1/ }),
  ).toBeVisible();
  await page.goBack();
  await still.getByRole("link", { name: dashboard.email("reader1") }).click();
  await expect(person).toContainText(dashboard.email("reader1"));

  await page.goto(`${path.replace(/imports.*/, "people")}?q=new1`);
  await page.getByRole("row", { name: /new1@navy\.mil/ }).click();
  await expect(person).toContainText(
    /The list says: opted in 1 Jan 2024, .* from 1\.2\.3\.4, through “Footer”/,
  );
  await page.goto(`${path.replace(/imports.*/, "people")}?q=bounced`);
  await page.getByRole("row", { name: /bounced@navy\.mil/ }).click();
  await expect(person).toContainText("The list says: bounced");
  await expect(person).not.toContainText("Consent: Spring fair");
});
