import { expect, test } from "vitest";
import { opened, openHttpAppForTests } from "../../test/http-app";
import { withPasswordCost } from "../../test/password-cost";
import { addStaff, openBrowser } from "../../test/staff-browser";

withPasswordCost();

openHttpAppForTests();

/** Returns processor time in milliseconds. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("the time of a sign-in does not show whether there is an account", async () => {
  const { app } = opened;
  const { email } = await addStaff(app);
  const wrong = (of: string) => processorTime(() => openBrowser(app).signIn(of, "not the password"));
  await wrong(email);
  const known = Math.min(await wrong(email), await wrong(email));
  const unknown = Math.min(await wrong("nobody@x.org"), await wrong("nobody2@x.org"));
  const malformed = await wrong("nonsense");
  expect(unknown / known).toBeGreaterThan(0.7);
  expect(unknown / known).toBeLessThan(1.4);
  expect(malformed).toBeLessThan(known / 2);
});
