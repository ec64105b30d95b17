import type { Config } from "./config";
import { startCommand } from "./version";

const quoted = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** This start on another port, with its own options, data and host, as a line for a shell. */
export function startOn({ DATA_DIR, HOST }: Config, port: number, options = process.argv.slice(2)): string {
  const settings = [
    DATA_DIR !== ".data" && `DATA_DIR=${quoted(DATA_DIR)}`,
    HOST !== "127.0.0.1" && `HOST=${quoted(HOST)}`,
    `PORT=${port}`,
  ].filter(Boolean);
  const separator = options.length > 0 && startCommand.startsWith("npm") ? ["--"] : [];
  return [...settings, startCommand, ...separator, ...options.map(quoted)].join(" ");
}
