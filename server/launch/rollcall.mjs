// What a release starts by: node rollcall.mjs start|admin. Its folder may be read-only, and it stays in the folder it is
// started from, where .env is read and DATA_DIR begins.
import "./node-version.mjs";

const { readFileSync } = await import("node:fs");
const { join } = await import("node:path");
const { run } = await import("./run.mjs");
const { root } = await import("./steps.mjs");

const programs = { start: ".build/main.mjs", admin: ".build/admin.mjs" };
const [name, ...args] = process.argv.slice(2);

if (Object.hasOwn(programs, name ?? "")) {
  process.env.NEXT_TELEMETRY_DISABLED ??= "1";
  // As Next's own standalone server does: without it Next reads its configuration with a compiler, which is not here.
  const { config } = JSON.parse(readFileSync(join(root, ".next/required-server-files.json"), "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
  await run(programs[name], args, "production");
} else {
  console.error("Usage: node rollcall.mjs start|admin [arguments]");
  process.exitCode = 2;
}
