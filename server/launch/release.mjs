// `npm run release` makes one archive that needs only Node to start: no npm, network or compiler.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createWriteStream,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { root } from "./steps.mjs";
import { printLicences } from "./supply-chain.mjs";

/** @returns {Promise<string[]>} the lines to print: the archive, its digest, its sizes */
export async function release() {
  const { releaseFiles } = await import("./release-files.mjs");
  const { pack } = await import("tar-stream");
  const { version, engines, license, name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const title = `rollcall-${version}-${process.platform}-${process.arch}`;
  const folder = join(root, ".build", "release");
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, `${title}.tar.gz`);
  const mtime = sourceTime();
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 9 }), createWriteStream(`${archive}.new`));
  const sizes = { files: 0, bytes: 0 };
  const add = (path, header, content) =>
    new Promise((done, failed) => {
      sizes.files++;
      sizes.bytes += content?.length ?? 0;
      const whole = { name: `${title}/${path}`, mtime, uid: 0, gid: 0, ...header };
      tar.entry(whole, content ?? "", (error) => (error ? failed(error) : done()));
    });
  const manifest = { name, version, license, private: true, type: "module", engines, release: true };
  const licences = [];
  printLicences((text) => licences.push(text));
  await add("LICENCES.txt", { mode: 0o644 }, `${licences.join("\n")}\n`);
  await add("package.json", { mode: 0o644 }, `${JSON.stringify(manifest, null, 2)}\n`);
  await add("rollcall.mjs", { mode: 0o644 }, 'import "./server/launch/rollcall.mjs";\n');
  for (const path of await releaseFiles()) await addFile(add, path);
  tar.finalize();
  await written;
  renameSync(`${archive}.new`, archive);
  const digest = createHash("sha256").update(readFileSync(archive)).digest("hex");
  writeFileSync(`${archive}.sha256`, `${digest}  ${basename(archive)}\n`);
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    archive,
    `SHA-256 ${digest}`,
    `${mb(statSync(archive).size)}, unpacked ${mb(sizes.bytes)} in ${sizes.files} files`,
  ];
}

function addFile(add, path) {
  const stat = lstatSync(join(root, path));
  // Uses git's modes. The umask at the time of unpacking must not decide who can start the product.
  const mode = stat.mode & 0o100 ? 0o755 : 0o644;
  if (stat.isSymbolicLink()) return add(path, { type: "symlink", linkname: readlinkSync(join(root, path)) });
  return add(path, { mode }, readFileSync(join(root, path)));
}

/**
 * Returns one time for all files, so that the same build makes identical archives. It is not a constant, because
 * browsers compare modification times of files.
 */
function sourceTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given) return new Date(Number(given) * 1000);
  try {
    const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return new Date(Number(execFileSync("git", ["log", "-1", "--format=%ct"], options)) * 1000);
  } catch {
    return statSync(join(root, ".build/stamp")).mtime;
  }
}
