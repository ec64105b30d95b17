import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/fixtures/browser";

// Each spec starts the product it needs (server/test/product.ts), so no webServer here.
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  timeout: 60_000,
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    launchOptions: await findBrowser(),
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
