import type { Tx } from "../platform/db/client";
import type { MailContext } from "./context";
import { reconsiderBudgets } from "./queries/mail-budgets";

/** Sends the mails that fit after a change of a newsletter's budgets. Runs in the transaction of the change. */
export async function reconsiderDeferred(
  { outbox }: Pick<MailContext, "outbox">,
  tx: Tx,
  newsletterId: string,
) {
  await reconsiderBudgets(tx, newsletterId);
  await outbox.wake(tx);
}
