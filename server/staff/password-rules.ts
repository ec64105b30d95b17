import { findAccount } from "../accounts/shared-queries";
import { invalidField } from "../kernel/errors";
import { readProjectFile } from "../kernel/project-root";
import type { Db } from "../platform/db/client";

const advice = "Choose a longer one, such as four random words.";
const isCommon = `This is one of the most common passwords. ${advice}`;
const isOwn = `This password is too similar to your name, your address or the account's name. ${advice}`;
const isRepeated = `This password repeats a few characters. ${advice}`;

let common: Set<string> | undefined;

/** Returns the passwords that attackers try first, in lower case. */
export function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(readProjectFile("server/staff/common-passwords.txt").trimEnd().split("\n"));
  return common;
}

/** Fewer different characters, such as in "ababababab", are rejected. */
const leastCharacters = 5;

/** Returns the words that an attacker who knows the person tries first. */
function ownWords(about: readonly string[]): string[] {
  const words = ["rollcall", ...about].flatMap((text) => {
    const whole = text.normalize("NFKC").toLowerCase();
    return [whole, ...whole.split(/[^\p{L}\p{N}]+/u)];
  });
  // Longest first, so that a whole address is removed before its parts.
  return [...new Set(words)].filter(({ length }) => length >= 3).sort((a, b) => b.length - a.length);
}

/** Whether fewer than six letters and digits remain once the person's own words are removed. */
function isOfOwnWords(password: string, about: readonly string[]): boolean {
  const rest = ownWords(about).reduce((left, word) => left.replaceAll(word, ""), password);
  return rest !== password && rest.replace(/[^\p{L}\p{N}]/gu, "").length < 6;
}

/**
 * Rejects a new password that attackers try first. The schema checks the length. No other rules apply.
 * @param about the person's address and name, and the names of their account
 * @throws AppError validation_error on `field`
 */
export function checkNewPassword(password: string, about: readonly string[], field = "password"): void {
  const plain = password.normalize("NFKC").toLowerCase();
  const problem =
    (commonPasswords().has(plain) && isCommon) ||
    (isOfOwnWords(plain, about) && isOwn) ||
    (new Set(plain).size < leastCharacters && isRepeated);
  if (problem) throw invalidField(field, problem);
}

type Who = { email: string; name: string; accountId: string };

/** Rejects a staff member's new password that attackers try first. @throws AppError validation_error on `field` */
export async function checkOwnNewPassword(
  db: Db,
  { email, name, accountId }: Who,
  password: string,
  field?: string,
): Promise<void> {
  const account = await findAccount(db, accountId);
  checkNewPassword(password, [email, name, account?.name ?? ""], field);
}
