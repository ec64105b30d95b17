import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../operator-error";
import { ensureDataDir, giveToFolderOwner } from "../postgres/data-dir";

/**
 * The secret behind signed links and sessions: AUTH_SECRET, or the one in DATA_DIR, which the first start makes.
 * @throws OperatorError when the file can be neither read nor made, or was cut short
 */
export function authSecret({ AUTH_SECRET, DATA_DIR }: { AUTH_SECRET?: string; DATA_DIR: string }): string {
  if (AUTH_SECRET) return AUTH_SECRET;
  const file = join(DATA_DIR, "auth-secret");
  ensureDataDir(DATA_DIR);
  let secret: string;
  try {
    if (!existsSync(file)) {
      // "wx" never replaces a file: of two first starts at once, one fails and can be repeated.
      writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
      giveToFolderOwner(file);
    }
    secret = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new OperatorError(
      `The secret behind links and sessions can be neither read nor made in ${file} (${(error as Error).message}). ` +
        "Give this user access to DATA_DIR, or set AUTH_SECRET.",
    );
  }
  if (secret.length >= 32) return secret;
  throw new OperatorError(
    `${file} was cut short. Restore it from a backup, or delete it: links already mailed then stop working.`,
  );
}
