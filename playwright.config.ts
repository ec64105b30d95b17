import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/fixtures/browser";

// The specs share the products that global-setup.ts starts, so no webServer here.
export default defineConfig({
  testDir: "e2e",
  projects: [
    // The main journeys, in `npm test`.
    {
      name: "browser",
      testMatch: "*.spec.ts",
      testIgnore: ["*.thorough.spec.ts", "speed.spec.ts"],
      grepInvert: /@thorough/,
    },
    // In `npm run test:faults`: rarer tasks, and files about languages, files, keyboard, outages and large sends.
    {
      name: "thorough",
      testMatch: "*.spec.ts",
      testIgnore: "speed.spec.ts",
      grep: /@thorough|\.thorough\.spec\.ts/,
    },
    { name: "timed", testMatch: "speed.spec.ts" },
  ],
  globalSetup: "./e2e/fixtures/global-setup",
  outputDir: "test-results",
  timeout: 120_000,
  // Long enough for a machine that is busy with other stages.
  expect: { timeout: 30_000 },
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    launchOptions: await findBrowser(),
    // A trace costs a tenth of the processor's time. TRACE=1 records one for each failed test.
    trace: process.env.TRACE ? { mode: "retain-on-failure", screenshots: false } : "off",
    screenshot: "only-on-failure",
  },
});
