import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../project-root";

test("the build's own process ends with the build", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = `
    import { execFileSync } from "node:child_process";
    const { bundleInto } = await import("./server/launch/bundle.mjs");
    await bundleInto(${JSON.stringify(folder)});
    const own = new RegExp("^ *" + process.pid + " (?!ps )");
    const children = () =>
      execFileSync("ps", ["-A", "-o", "ppid=,command="], { encoding: "utf8" }).split("\\n").filter((line) => own.test(line));
    for (let i = 0; i < 40 && children().length > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(JSON.stringify(children()));
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
    cwd: projectRoot(),
    encoding: "utf8",
  });
  expect(existsSync(join(folder, "main.mjs")), stderr).toBe(true);
  expect(JSON.parse(stdout)).toEqual([]);
});
