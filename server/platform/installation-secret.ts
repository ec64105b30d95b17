import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../kernel/errors";
import type { Secrets } from "../kernel/secrets";
import { ensureDataDir } from "./postgres/data-dir";

/** Writes a secret for its user only. Never replaces a file. */
function writeSecret(file: string, secret: string): void {
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx", flush: true });
}

/** Returns the secrets of a file, one per line, newest first; null when one is too short to be complete. */
export function secretsIn(text: string): Secrets | null {
  const [first = "", ...others] = text
    .split(/[\r\n,]+/)
    .map((line) => line.trim())
    .filter(Boolean);
  return [first, ...others].every((secret) => secret.length >= 32) ? [first, ...others] : null;
}

/**
 * Returns the secrets for signed links and sessions: AUTH_SECRET, or those in DATA_DIR. The first start makes one.
 * @throws OperatorError when the file can't be read or made, or is truncated
 */
export function authSecrets({ AUTH_SECRET, DATA_DIR }: { AUTH_SECRET?: Secrets; DATA_DIR: string }): Secrets {
  if (AUTH_SECRET) return AUTH_SECRET;
  const file = join(DATA_DIR, "auth-secret");
  ensureDataDir(DATA_DIR);
  let text: string;
  try {
    if (!existsSync(file)) writeSecret(file, randomBytes(32).toString("base64url"));
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError(
      `The secret of links and sessions can't be read or created in ${file} (${(error as Error).message}). ` +
        "Give this user access to DATA_DIR, or set AUTH_SECRET.",
    );
  }
  const secrets = secretsIn(text);
  if (secrets) return secrets;
  throw new OperatorError(
    `${file} is incomplete. Restore it from a backup, or delete it: links in emails already sent then stop working.`,
  );
}

/** Returns the existing secrets, or null. Makes none. @throws OperatorError */
export function findAuthSecrets(config: { AUTH_SECRET?: Secrets; DATA_DIR: string }): Secrets | null {
  return config.AUTH_SECRET || existsSync(join(config.DATA_DIR, "auth-secret")) ? authSecrets(config) : null;
}

/**
 * Stores a backup's secrets for the next start, unless there are others.
 * @returns the result; an existing secret is kept
 */
export function restoreSecret(
  { AUTH_SECRET, DATA_DIR }: { AUTH_SECRET?: Secrets; DATA_DIR: string },
  restored: string | null,
): "written" | "same" | "differs" | "absent" {
  if (restored === null) return "absent";
  const file = join(DATA_DIR, "auth-secret");
  if (!AUTH_SECRET && !existsSync(file)) {
    ensureDataDir(DATA_DIR);
    writeSecret(file, restored);
    return "written";
  }
  const present = authSecrets({ AUTH_SECRET, DATA_DIR });
  return restored.split(/\s+/).every((one) => present.includes(one)) ? "same" : "differs";
}
