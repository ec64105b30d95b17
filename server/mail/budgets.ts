import { record } from "../accounts/audit";
import { staffIdOf, withTransaction } from "../accounts/context";
import { newId } from "../kernel/ids";
import type { Tx } from "../platform/db/client";
import type { MailContext } from "./context";
import { waitingFor } from "./delivery/reasons";
import { reconsiderBudgets, releaseMails } from "./queries/mail-budgets";
import { insertMailing } from "./queries/mailings";
import type { BudgetGroup } from "./schema/mail-budgets";

/**
 * Sends the oldest mails that wait for a daily budget, and ignores that budget. Each person's own limit still applies.
 * Several mails leave together after the newsletter's delay.
 * @param input mails: how many the caller has seen; no more are released
 */
export function releaseDeferred(
  ctx: Pick<MailContext, "db" | "actor" | "requestId" | "outbox">,
  input: BudgetGroup & { newsletter: { id: string; accountId: string }; mails: number },
): Promise<{ mails: number }> {
  const { newsletter, code, domain, mails: limit } = input;
  return withTransaction(ctx, async (tx) => {
    const own = {
      id: newId(),
      newsletterId: newsletter.id,
      staffId: staffIdOf(ctx),
      kind: "release",
    } as const;
    const mailing = limit > 1 ? await insertMailing(tx, own) : null;
    const group = { newsletterId: newsletter.id, code, domain, limit };
    const mails = await releaseMails(tx, group, mailing && waitingFor(mailing));
    if (mails === 0) return { mails };
    await ctx.outbox.wake(tx, mailing);
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "mails.released",
      detail: { mails, domain },
    });
    return { mails };
  });
}

/** Sends the mails that fit after a change of a newsletter's budgets. Runs in the transaction of the change. */
export async function reconsiderDeferred(
  { outbox }: Pick<MailContext, "outbox">,
  tx: Tx,
  newsletterId: string,
) {
  await reconsiderBudgets(tx, newsletterId);
  await outbox.wake(tx);
}
