import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { getAccount } from "../accounts/newsletters";
import { updateApiAccess } from "../accounts/shared-queries";
import { announceKeyChange } from "./queries/api-keys";

/** Turns an account's API access on or off, in every process at once. @throws AppError not_found */
export function setApiAccess(ctx: ActorContext, { accountId, on }: { accountId: string; on: boolean }) {
  return withTransaction(ctx, async (tx) => {
    await getAccount(tx, accountId);
    await updateApiAccess(tx, accountId, on);
    await announceKeyChange(tx);
    await record(ctx, tx, {
      accountId,
      action: on ? "api_access.on" : "api_access.off",
      subjectId: accountId,
    });
  });
}
