import { expect, it } from "vitest";
import { projectRoot } from "../../server/project-root";
import { runProgram } from "../../server/test/product";

it.each([40, 128])("a start that may open only %i files ends with a sentence and no stack", async (limit) => {
  const run = `import("${projectRoot()}/server/launch/run.mjs").then(({ run }) => run(".build/main.mjs", [], "production"))`;
  const { ended, output } = runProgram(
    ["bash", "-c", `ulimit -n ${limit}; exec ${process.execPath} -e '${run}'`],
    {
      DATABASE_URL: "postgresql://nobody@127.0.0.1:9/nowhere",
    },
  );
  expect(await ended).toBe(1);
  expect(output()).toMatch(/Raise the limit: `ulimit -n 65536`/);
  expect(output()).not.toMatch(/\n\s+at /);
});
