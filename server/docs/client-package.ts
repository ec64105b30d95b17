import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "fflate";
import { pack } from "tar-stream";
import { projectRoot } from "../kernel/project-root";
import { version } from "../kernel/version";

/** Files of clients/js that are part of the package. */
const FILES = ["index.js", "index.d.ts", "openapi.d.ts", "README.md"];
/** npm's own time for files in packages. */
const MTIME = new Date("1985-10-26T08:15:00Z");

const textOf = (path: string) => readFileSync(join(projectRoot(), path), "utf8");

async function makePackage() {
  const manifest = { ...JSON.parse(textOf("clients/js/package.json")), version };
  const files: [name: string, text: string][] = [
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ...FILES.map((name): [string, string] => [name, textOf(`clients/js/${name}`)]),
    ["LICENSE", textOf("LICENSE")],
  ];
  const tar = pack();
  for (const [name, text] of files) tar.entry({ name: `package/${name}`, mode: 0o644, mtime: MTIME }, text);
  tar.finalize();
  // Not node:zlib, whose output differs between versions of Node.js: lock files of npm store a digest of the bytes.
  const bytes = gzipSync(await buffer(tar), { level: 9, mtime: 0 });
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
}

let made: ReturnType<typeof makePackage> | undefined;

/** Returns the JavaScript client as an npm package. The same version always has the same bytes. */
export function clientPackage(): ReturnType<typeof makePackage> {
  made ??= makePackage();
  return made;
}
