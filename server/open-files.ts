import { readdirSync, readFileSync } from "node:fs";

/** How many files and sockets this process has open, and may; null where the system does not tell. */
export function findOpenFiles(): { open: number; limit: number } | null {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    return limit > 0 ? { open: readdirSync("/proc/self/fd").length, limit } : null;
  } catch {
    return null;
  }
}

const RAISE = "Raise the limit: `ulimit -n 65536` in a shell, LimitNOFILE=65536 in a systemd unit.";

/** What there is to say when this many are open; null while there is room. The system closes further connections without a word. */
export function openFilesIssue(files = findOpenFiles()): string | null {
  if (!files || files.open < 0.9 * files.limit) return null;
  return `${files.open} of ${files.limit} files and connections are open; further ones are closed unanswered. ${RAISE}`;
}

/** A sentence for what failed because no more may be opened; null for anything else. */
export function tooManyOpenFiles(error: unknown): string | null {
  const { code, message = "" } = error as { code?: string; message?: string };
  if (!/^E[MN]FILE$/.test(code ?? "") && !/E[MN]FILE|too many open files/i.test(message)) return null;
  const limit = findOpenFiles()?.limit;
  return `This process may open ${limit ?? "too few"} files, and Rollcall needs some 500 and one for each connection. Nothing was lost. ${RAISE}`;
}
