import { existsSync } from "node:fs";
import { OperatorError } from "../../kernel/errors";
import { fullVersion } from "../../kernel/version";
import { openSnapshot } from "../queries/table-copies";
import { type Manifest, type TableSum, writeArchive } from "./archive";

export type ReportProgress = (line: string) => void;

type BackupFacts = { file: string; manifest: Manifest; tables: Record<string, TableSum>; ms: number };

/**
 * Writes all data of Rollcall at one moment into a file, while others write.
 * @param authSecret is included; null: without
 * @throws OperatorError; then there is no file
 */
export async function writeBackup(
  url: string,
  {
    file,
    authSecret,
    log,
    signal,
  }: { file: string; authSecret: string | null; log: ReportProgress; signal?: AbortSignal },
): Promise<BackupFacts> {
  if (existsSync(file)) throw new OperatorError(`${file} already exists. Nothing was written.`);
  const startedAt = performance.now();
  const snapshot = await openSnapshot(url);
  // Aborts the running copy, which then ends with an error.
  signal?.addEventListener("abort", () => void snapshot.close());
  try {
    signal?.throwIfAborted();
    const { migrations, tables } = snapshot;
    const madeAt = new Date().toISOString();
    const manifest: Manifest = { format: 1, version: fullVersion, madeAt, migrations, tables };
    const sums: Record<string, TableSum> = {};
    await writeArchive(file, { manifest, authSecret, copy: snapshot.copy }, (name, sum) => {
      sums[name] = sum;
      if (sum.rows > 0) log(`${name}: ${sum.rows} rows`);
    });
    return { file, manifest, tables: sums, ms: performance.now() - startedAt };
  } finally {
    await snapshot.close();
  }
}
