import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/fixtures/browser";

// The specs share the products that global-setup.ts starts, so no webServer here.
export default defineConfig({
  testDir: "e2e",
  projects: [
    // `npm test`: the journeys that staff and subscribers make every day.
    { name: "browser", testMatch: "*.spec.ts", testIgnore: ["*.thorough.spec.ts", "speed.spec.ts"] },
    // `npm run test:faults`: other languages, files, keys, and what is shown while something is away.
    { name: "thorough", testMatch: "*.thorough.spec.ts" },
    { name: "timed", testMatch: "speed.spec.ts" },
  ],
  globalSetup: "./e2e/fixtures/global-setup",
  outputDir: "test-results",
  timeout: 120_000,
  // On a machine that is busy with other stages as well, things take their time; what never comes is still told apart.
  expect: { timeout: 30_000 },
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    launchOptions: await findBrowser(),
    // Copying the page after each action takes a tenth of the processor's time, so a failed test is traced when run again with TRACE=1.
    trace: process.env.TRACE ? { mode: "retain-on-failure", screenshots: false } : "off",
    screenshot: "only-on-failure",
  },
});
