import { join } from "node:path";
import { build } from "esbuild";

export interface Built {
  floor: string;
  load: string;
}

/**
 * Turns the bench's own processes into plain JavaScript, as the product is: run through a loader, each of their
 * functions would pay for it and the ratios would lie.
 */
export async function buildProcesses(root: string): Promise<Built> {
  const outdir = join(root, ".build", "bench");
  await build({
    entryPoints: ["floor", "load"].map((name) => join(root, "bench", `${name}.ts`)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return { floor: join(outdir, "floor.mjs"), load: join(outdir, "load.mjs") };
}
