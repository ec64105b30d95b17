import type { BudgetGroup } from "../contract/mail-budgets";
import type { Tx } from "../db/client";
import { reconsiderBudgets, releaseMails } from "../db/mail-budgets";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";

/**
 * Sends mails that wait for a budget of the day without regard to it, the oldest first. Each person's own limit holds.
 * @param input mails: how many the caller has seen; no more are released
 */
export function releaseDeferred(
  ctx: Pick<Ctx, "db" | "actor" | "requestId" | "outbox">,
  input: BudgetGroup & { newsletter: { id: string; accountId: string }; mails: number },
): Promise<{ mails: number }> {
  const { newsletter, code, domain, mails: limit } = input;
  return withTransaction(ctx, async (tx) => {
    const mails = await releaseMails(tx, { newsletterId: newsletter.id, code, domain, limit });
    if (mails === 0) return { mails };
    await ctx.outbox.wake(tx);
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "mails.released",
      detail: { mails, domain },
    });
    return { mails };
  });
}

/** After a change of a newsletter's budgets, in its transaction: mails that now fit into the day are sent. */
export async function reconsiderDeferred({ outbox }: Pick<Ctx, "outbox">, tx: Tx, newsletterId: string) {
  await reconsiderBudgets(tx, newsletterId);
  await outbox.wake(tx);
}
