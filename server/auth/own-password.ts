import { findAccount } from "../db/accounts";
import type { Db } from "../db/client";
import { checkNewPassword } from "./password-rules";

type Who = { email: string; name: string; accountId: string };

/** Rejects a staff member's new password that guessers try first. @throws AppError validation_error on `newPassword` */
export async function checkOwnNewPassword(
  db: Db,
  { email, name, accountId }: Who,
  password: string,
): Promise<void> {
  const account = await findAccount(db, accountId);
  checkNewPassword(password, [email, name, account?.name ?? ""], "newPassword");
}
