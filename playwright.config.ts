import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/fixtures/browser";

// Each spec starts the product it needs (server/test/product.ts), so no webServer here.
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  timeout: 120_000,
  // On a machine that is busy with other stages as well, things take their time; what never comes is still told apart.
  expect: { timeout: 15_000 },
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    launchOptions: await findBrowser(),
    // Its film of the page is drawn without a graphics card, and takes processor time of every test that passes.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
  },
});
