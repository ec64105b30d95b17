import { NewsletterSettings } from "../contract/settings";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { getNewsletter } from "./newsletters";
import { parse } from "./parse";

type Acting = Pick<Ctx, "db" | "actor" | "requestId">;

/** Changes how a newsletter presents itself; mails already written keep what they say. @throws AppError validation_error */
export async function saveSettings(
  ctx: Acting,
  newsletterId: string,
  input: NewsletterSettings,
): Promise<void> {
  const { replyTo, ...rest } = parse(NewsletterSettings, input);
  await withTransaction(ctx, async (tx) => {
    const before = await getNewsletter(tx, newsletterId);
    const next = { ...rest, replyTo: replyTo?.email ?? null };
    const changed = (Object.keys(next) as (keyof typeof next)[]).filter(
      (name) => next[name] !== before[name],
    );
    if (changed.length === 0) return;
    await tx.newsletter.update({ where: { id: newsletterId }, data: next });
    await record(ctx, tx, {
      accountId: before.accountId,
      newsletterId,
      action: "newsletter.changed",
      subjectId: newsletterId,
      detail: { changed },
    });
  });
}
