// The format of a backup file: a gzipped tar with manifest.json, auth-secret, and the tables as PostgreSQL's COPY text
// in parts of limited size. sums.json comes last; a file without it is incomplete.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { z } from "zod";
import { OperatorError } from "../../kernel/errors";
import { secretsIn } from "../../platform/installation-secret";

const Name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
export const Manifest = z.object({
  format: z.literal(1),
  /** Rollcall's version. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: Name, columns: z.array(Name).min(1) })).min(1),
});
export type Manifest = z.infer<typeof Manifest>;

const TableSum = z.object({ rows: z.int(), bytes: z.int(), sha256: z.string() });
export type TableSum = z.infer<typeof TableSum>;
const Sums = z.object({
  manifest: z.string(),
  authSecret: z.string().nullable(),
  tables: z.record(Name, TableSum),
});

const PART_BYTES = 4 * 1024 * 1024;
/** The size limit of manifest.json, auth-secret and sums.json, which take about 20 KB. */
const MAX_TEXT_BYTES = 1024 * 1024;
const NEWLINE = 10;

export const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/** Counts rows and computes the digest of COPY's text. A line feed ends a row and never occurs inside one. */
class Sum {
  readonly #hash = createHash("sha256");
  #rows = 0;
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) this.#rows++;
  }

  close(): TableSum {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/** The content of a backup file. `authSecret` null: the file has none. */
type Contents = {
  manifest: Manifest;
  authSecret: string | null;
  copy(table: Manifest["tables"][number]): AsyncIterable<Buffer>;
};

type Add = (name: string, content: string | Buffer) => Promise<void>;

/** Writes a file that gets its name when it is complete and flushed to disk. Only its user can read it. */
export async function writeArchive(
  file: string,
  contents: Contents,
  onTable: (name: string, sum: TableSum) => void,
): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  const tar = pack();
  const target = createWriteStream(partial, { mode: 0o600, flags: "wx", flush: true });
  // An error also rejects the pipeline. After another failure the pipeline has stopped listening, and an unhandled
  // error would end the process.
  target.on("error", () => {});
  const written = pipeline(tar, createGzip({ level: 4 }), target);
  const mtime = new Date(contents.manifest.madeAt);
  const add: Add = (name, content) =>
    Promise.race([
      written,
      new Promise<void>((resolve, reject) => {
        const header = { name, size: Buffer.byteLength(content), mode: 0o600, mtime };
        const entry = tar.entry(header, (error) => (error ? reject(error) : resolve()));
        // The callback gets the same error.
        entry.on("error", () => {});
        entry.end(content);
      }),
    ]);
  try {
    await addAll(add, contents, onTable);
    tar.finalize();
    await written;
    await rename(partial, file);
    const folder = await open(dirname(file));
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    tar.destroy();
    await written.catch(() => {});
    rmSync(partial, { force: true });
    throw explained(file, error);
  }
}

async function addAll(
  add: Add,
  { manifest, authSecret, copy }: Contents,
  onTable: (name: string, sum: TableSum) => void,
): Promise<void> {
  const head = JSON.stringify(manifest, null, 1);
  await add("manifest.json", head);
  if (authSecret !== null) await add("auth-secret", authSecret);
  const tables: Record<string, TableSum> = {};
  for (const table of manifest.tables) {
    const sum = new Sum();
    let part = 0;
    for await (const content of inParts(copy(table))) {
      sum.add(content);
      await add(`tables/${table.name}/${String(++part).padStart(6, "0")}`, content);
    }
    tables[table.name] = sum.close();
    onTable(table.name, tables[table.name] as TableSum);
  }
  const sums = { manifest: sha256(head), authSecret: authSecret && sha256(authSecret), tables };
  await add("sums.json", JSON.stringify(sums, null, 1));
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(parts);
    [parts, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(parts);
}

function explained(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code || !/^E[A-Z]+$/.test(code)) return error;
  return new OperatorError(
    `The backup ${file} could not be written (${message}). No incomplete file was left behind.`,
  );
}

/** Receives the tables of a backup, in their order. */
type TableReader = {
  begin(manifest: Manifest): Promise<void>;
  /** Receives the content of one table, which must be read to its end. */
  table(table: Manifest["tables"][number], content: AsyncIterable<Buffer>): Promise<void>;
};

export type ReadBackup = { manifest: Manifest; authSecret: string | null; tables: Record<string, TableSum> };

/**
 * Reads a whole backup and verifies each part's checksum. The backup is only verified when this returns.
 * @throws OperatorError when it is damaged, truncated or not a backup
 */
export async function readArchive(file: string, reader: TableReader): Promise<ReadBackup> {
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries);
  // The loop below gets the same error.
  reading.catch(() => {});
  try {
    const read = await readEntries(entries[Symbol.asyncIterator]() as AsyncIterator<Entry>, reader);
    await reading;
    return read;
  } catch (error) {
    entries.destroy();
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (/^(ENOENT|EACCES|EISDIR|EIO)$/.test(code ?? ""))
      throw new OperatorError(`${file} can't be read (${message}). Nothing was changed.`);
    if (!(error instanceof Damaged || error instanceof z.ZodError || error instanceof SyntaxError))
      throw error;
    throw new OperatorError(
      `${file} is damaged or not a Rollcall backup (${message}). Nothing was changed. Use another backup.`,
    );
  }
}

/** The file is damaged. Errors of the file's reader have other classes. */
class Damaged extends Error {}

type Entry = AsyncIterable<Buffer> & { header: { name: string; size?: number | undefined } };

function damaged(cause: Error): never {
  throw new Damaged(cause.message, { cause });
}

async function* chunksOf(entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* entry;
  } catch (error) {
    damaged(error as Error);
  }
}

/** Reads the entries of a file one after another. */
async function openEntries(source: AsyncIterator<Entry>) {
  const advance = async () => {
    const { done, value } = await source.next().catch(damaged);
    return done ? null : (value as Entry);
  };
  let entry = await advance();
  return {
    name: () => entry?.header.name,

    /** Returns the text of the next entry, which must have this name. */
    async text(name: string): Promise<string> {
      if (entry?.header.name !== name) throw new Damaged(`${name} is missing`);
      if ((entry.header.size ?? 0) > MAX_TEXT_BYTES) throw new Damaged(`${name} is too long`);
      const parts: Buffer[] = [];
      for await (const part of chunksOf(entry)) parts.push(part);
      entry = await advance();
      return Buffer.concat(parts).toString("utf8");
    },

    async *parts(table: string, sum: Sum): AsyncGenerator<Buffer> {
      while (entry?.header.name.startsWith(`tables/${table}/`)) {
        for await (const chunk of chunksOf(entry)) {
          sum.add(chunk);
          yield chunk;
        }
        entry = await advance();
      }
    },
  };
}

async function readEntries(source: AsyncIterator<Entry>, reader: TableReader): Promise<ReadBackup> {
  const entries = await openEntries(source);
  const head = await entries.text("manifest.json");
  const manifest = Manifest.parse(JSON.parse(head));
  await reader.begin(manifest);
  const authSecret = entries.name() === "auth-secret" ? await entries.text("auth-secret") : null;
  if (authSecret !== null && !secretsIn(authSecret)) throw new Damaged("its auth-secret is incomplete");
  const tables: Record<string, TableSum> = {};
  for (const table of manifest.tables) {
    const sum = new Sum();
    await reader.table(table, entries.parts(table.name, sum));
    tables[table.name] = sum.close();
  }
  const sums = Sums.parse(JSON.parse(await entries.text("sums.json")));
  if (entries.name() !== undefined) throw new Damaged("unexpected data after its end");
  const found = { manifest: sha256(head), authSecret: authSecret && sha256(authSecret) };
  if (sums.manifest !== found.manifest || sums.authSecret !== found.authSecret)
    throw new Damaged("its header is damaged");
  for (const [name, { rows, bytes, sha256: digest }] of Object.entries(tables)) {
    const said = sums.tables[name];
    if (said?.rows !== rows || said.bytes !== bytes || said.sha256 !== digest)
      throw new Damaged(`the table ${name} is damaged`);
  }
  return { manifest, authSecret, tables };
}
