import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Times code by the processor's clock. */
const SPEED = "**/*speed.test.ts";
/** Kills, takeovers, time-outs and other programs: `npm run test:faults`. */
const FAULTS = "**/*.faults.test.ts";
const globalSetup = ["server/test/global-setup.ts"];
const setupFiles = ["server/test/fast-check-seed.ts"];
const unitSetupFiles = [...setupFiles, "server/test/cheap-passwords.ts"];
// As tsconfig.json has it.
const resolve = { alias: { "@/": fileURLToPath(new URL("./", import.meta.url)) } };
// Tests wait for processes, databases and each other's turn on two cores: only what never comes may time out.
const timeouts = { testTimeout: 180_000, hookTimeout: 300_000, expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          // Projects run one after the other where a folder names tests of several.
          sequence: { groupOrder: 0 },
          // Loading the server anew for each file took more of the processor than the tests.
          isolate: false,
          // e2e/resource tests the REST resources in this process; its over-http folder needs the built product.
          include: ["{server,components,bench}/**/*.test.{ts,tsx}", "e2e/resource/*.test.ts"],
          exclude: [SPEED, FAULTS],
          globalSetup,
          setupFiles: unitSetupFiles,
          // Most tests wait for the database, so Vitest's default of one worker leaves a core idle.
          maxWorkers: Math.max(3, availableParallelism()),
          ...timeouts,
        },
      },
      {
        // The REST contract on the built product.
        test: {
          name: "contract",
          sequence: { groupOrder: 1 },
          isolate: false,
          include: ["e2e/{contract,fixtures}/**/*.test.ts", "e2e/resource/over-http/*.test.ts"],
          exclude: [FAULTS],
          globalSetup,
          setupFiles,
          fileParallelism: false,
          ...timeouts,
        },
      },
      {
        // One file at a time, since files kill processes and take the processor.
        resolve,
        test: {
          name: "faults",
          sequence: { groupOrder: 2 },
          isolate: false,
          include: ["e2e/{process,generators,ledger}/**/*.test.ts", `{e2e/resource,server}/${FAULTS}`],
          exclude: ["**/node_modules/**"],
          globalSetup,
          setupFiles: unitSetupFiles,
          fileParallelism: false,
          ...timeouts,
        },
      },
      {
        // Measured by the processor's clock, with nothing beside it.
        resolve,
        test: {
          name: "speed",
          sequence: { groupOrder: 3 },
          include: [`{server,components}/${SPEED}`],
          globalSetup,
          setupFiles,
          fileParallelism: false,
          ...timeouts,
        },
      },
    ],
  },
});
