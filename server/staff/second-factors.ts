import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { updateSecondFactorRequired } from "../accounts/shared-queries";
import { AppError, noLongerExists } from "../kernel/errors";
import { deleteSecondFactors, findSecondFactors, listPasskeys } from "./queries/staff";
import { getStaffMember } from "./staff";

/** Returns a staff member's second factors, and whether their account requires one. */
export async function getSecondFactors({ db }: Pick<ActorContext, "db">, { id }: { id: string }) {
  const [factors, passkeys] = await Promise.all([findSecondFactors(db, id), listPasskeys(db, id)]);
  if (!factors) throw noLongerExists("staff member");
  return { required: factors.required, app: factors.app, passkeys };
}

/**
 * Turns the second-factor requirement of an account on or off.
 * @throws AppError validation_error when the caller has no second factor
 */
export function requireSecondFactor(
  ctx: ActorContext,
  { id, accountId, required }: { id: string; accountId: string; required: boolean },
): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const own = await findSecondFactors(tx, id);
    if (required && !own?.app && !own?.passkeys) {
      const message = "Set up a passkey or an authenticator app yourself first. Nothing was changed.";
      throw new AppError("validation_error", message);
    }
    if (!(await updateSecondFactorRequired(tx, accountId, required))) return;
    const action = required ? "second_factor.required" : "second_factor.optional";
    await record(ctx, tx, { accountId, action, subjectId: accountId });
  });
}

/**
 * Removes lost second factors. The password alone signs the person in until they set up a new second factor.
 * @throws AppError not_found
 */
export function removeSecondFactors(
  ctx: ActorContext,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const { email } = await getStaffMember(tx, { id, accountId });
    await deleteSecondFactors(tx, id);
    const detail = { email };
    await record(ctx, tx, { accountId, action: "staff.factors_removed", subjectId: id, detail });
  });
}
