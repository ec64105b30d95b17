// The start script of a release: node rollcall.mjs start|admin. Its folder may be read-only. It keeps the working
// directory, which has .env and is the base of DATA_DIR.
import "./node-version.mjs";

const { readFileSync } = await import("node:fs");
const { join } = await import("node:path");
const { run } = await import("./run.mjs");
const { root } = await import("./steps.mjs");

const programs = { start: ".build/main.mjs", admin: ".build/admin.mjs" };
const [name, ...args] = process.argv.slice(2);

if (Object.hasOwn(programs, name ?? "")) {
  process.env.NEXT_TELEMETRY_DISABLED ??= "1";
  // Next's standalone server does the same. Otherwise Next reads its configuration with a compiler, which a release
  // does not have.
  const { config } = JSON.parse(readFileSync(join(root, ".next/required-server-files.json"), "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
  await run(programs[name], args, "production");
} else {
  console.error("Usage: node rollcall.mjs start|admin [arguments]");
  process.exitCode = 2;
}
