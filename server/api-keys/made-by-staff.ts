import type { ActorContext } from "../accounts/context";
import { listInvitationsBy } from "../staff/shared-queries";
import { listLiveKeysBy } from "./queries/api-keys";

/** Lists a staff member's open invitations and live API keys. */
export async function listMadeByStaff(
  { db }: Pick<ActorContext, "db">,
  { accountId, id }: { accountId: string; id: string },
) {
  const [invitations, keys] = await Promise.all([
    listInvitationsBy(db, accountId, id),
    listLiveKeysBy(db, accountId, id),
  ]);
  return { invitations, keys };
}
