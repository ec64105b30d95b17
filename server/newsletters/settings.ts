import type { z } from "zod";
import { withTransaction } from "../accounts/context";
import { changeNewsletter } from "../accounts/newsletters";
import { parse } from "../kernel/errors";
import type { MailContext } from "../mail/context";
import { reconsiderBudgets } from "../mail/shared-queries";
import { NewsletterSettings } from "./schema/settings";

/**
 * Changes a newsletter's settings and its sending limits. Queued emails stay as written. Emails that waited for a limit
 * are sent as far as the new limit allows.
 * @throws AppError not_found, validation_error
 */
export async function saveNewsletterSettings(
  ctx: Omit<MailContext, "jobs">,
  {
    newsletterId,
    settings,
    was,
  }: { newsletterId: string; settings: NewsletterSettings; was?: NewsletterSettings },
): Promise<void> {
  const columnsOf = ({ replyTo, ...rest }: z.output<typeof NewsletterSettings>) => ({
    ...rest,
    replyTo: replyTo?.email ?? null,
  });
  const changes = columnsOf(parse(NewsletterSettings, settings));
  const opened = NewsletterSettings.safeParse(was).data;
  await withTransaction(ctx, async (tx) => {
    const changed = await changeNewsletter(
      { ...ctx, tx },
      {
        newsletterId,
        changes,
        was: opened && columnsOf(opened),
        action: "newsletter.changed",
        keepsValues: true,
      },
    );
    if (!changed.includes("domainMailsPerDay") && !changed.includes("mailsPerDay")) return;
    await reconsiderBudgets(tx, newsletterId);
    await ctx.outbox.wake(tx);
  });
}
