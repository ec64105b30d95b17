import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const TIMED = ["server/domain/list-parser/speed.test.ts"];
const globalSetup = ["server/test/global-setup.ts"];
const setupFiles = ["server/test/fast-check-seed.ts"];
const unitSetupFiles = [...setupFiles, "server/test/cheap-passwords.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        // As tsconfig.json has it.
        resolve: { alias: { "@/": fileURLToPath(new URL("./", import.meta.url)) } },
        test: {
          name: "unit",
          // The files share what they import: loading the server anew for each took more of the processor than the tests.
          isolate: false,
          // e2e/resource holds the REST resource to its contract in this process; what needs HTTP is in its over-http.
          include: ["{server,components,bench}/**/*.test.{ts,tsx}", "e2e/resource/*.test.ts"],
          exclude: TIMED,
          globalSetup,
          setupFiles: unitSetupFiles,
          // Vitest would leave one of two cores idle, and these tests mostly wait.
          maxWorkers: Math.max(3, availableParallelism()),
          // `npm test` runs browser tests beside them.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // What is held to a time by the processor's clock, alone.
        test: { name: "speed", include: TIMED, setupFiles, testTimeout: 60_000, maxWorkers: 1 },
      },
      {
        // Against the built product, as processes that get killed: one file at a time, so that they don't
        // take each other's processor away; `npm test` runs browser tests beside them.
        test: {
          name: "product",
          isolate: false,
          include: ["e2e/**/*.test.ts"],
          exclude: ["e2e/resource/*.test.ts", "**/node_modules/**"],
          globalSetup,
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
