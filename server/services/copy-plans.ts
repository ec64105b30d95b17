import { type BulkAction, maxCopied } from "../contract/bulk-actions";
import type { CopyInput, CopyPlan } from "../contract/copy-people";
import { type CopiedPeople, countCopied, findCopiedTags } from "../db/copied-people";
import { listFieldRows } from "../db/fields";
import type { NewsletterRow } from "../db/newsletters";
import { tagNames } from "../db/tags";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { type BulkTarget, startBulkAction } from "./bulk-actions";
import type { Ctx } from "./context";
import { matchFields } from "./copy-people";
import { getNewsletter } from "./newsletters";
import { countMatching } from "./people";
import { numberTags } from "./tags";

type Newsletter = Pick<NewsletterRow, "id" | "accountId" | "name">;

const invalid = (field: string, message: string) =>
  new AppError("validation_error", message, { errors: { [field]: [message] } });

/** @throws AppError not_found, also for another account's; validation_error for the same one, or one that is archived */
async function getTarget({ db }: Pick<Ctx, "db">, { id, accountId }: Newsletter, to: string) {
  const found = await getNewsletter(db, to);
  if (found.accountId !== accountId)
    throw new AppError("not_found", `There is no newsletter with the id ${to}.`);
  if (found.id === id) throw invalid("to", "These people are on this newsletter already. Choose another.");
  if (found.archivedAt !== null)
    throw invalid(
      "to",
      `${found.name} is archived, so nobody is added. An owner can bring it back, at the top of its pages.`,
    );
  return found;
}

/** @throws AppError validation_error on `target` when they are too many */
async function peopleOf(
  ctx: Pick<Ctx, "db">,
  { id: newsletterId }: Newsletter,
  target: BulkTarget,
): Promise<CopiedPeople> {
  const people = "ids" in target ? target.ids.length : (await countMatching(ctx, target.filter)).people;
  if (people <= maxCopied) return { newsletterId, ...target };
  const most = maxCopied.toLocaleString("en");
  throw invalid(
    "target",
    `At most ${most} people are copied or moved at once, and these are ${people.toLocaleString("en")}. Choose fewer, such as those who were added in one year.`,
  );
}

/** How many would be added, and how many not and why. */
async function countPlan({ db }: Pick<Ctx, "db">, of: CopiedPeople, to: string) {
  const plan: Pick<CopyPlan, "active" | "pending" | "skipped"> = { active: 0, pending: 0, skipped: {} };
  let found = 0;
  for (const { status, reason, people } of await countCopied(db, of, to)) {
    found += people;
    if (reason) plan.skipped[reason] = (plan.skipped[reason] ?? 0) + people;
    else if (status !== "unsubscribed") plan[status] += people;
  }
  const gone = "ids" in of ? of.ids.length - found : 0;
  if (gone > 0) plan.skipped.changed_meanwhile = gone;
  return plan;
}

/**
 * What copying or moving people would do if it were done now. Changes and locks nothing.
 * @throws AppError not_found, validation_error
 */
export async function planCopy(
  ctx: Pick<Ctx, "db">,
  newsletter: Newsletter,
  { to, target }: { to: string; target: BulkTarget },
): Promise<CopyPlan> {
  const there = await getTarget(ctx, newsletter, to);
  const counted = await countPlan(ctx, await peopleOf(ctx, newsletter, target), to);
  const here = await listFieldRows(ctx.db, newsletter.id);
  const pairs = matchFields(here, await listFieldRows(ctx.db, to));
  const isMatched = new Set(pairs.map(({ from }) => from.number));
  const lacks = pairs.filter(({ from, to: field }) =>
    from.choices.some((choice) => !field.choices.includes(choice)),
  );
  return {
    ...counted,
    fieldsLeftOut: here.filter(({ number }) => !isMatched.has(number)).map(({ label }) => label),
    choicesLeftOut: lacks.map(({ from }) => from.label),
    delaySeconds: there.sendDelaySeconds,
  };
}

/** Adds tags of those who are copied that the other newsletter has not had, before anybody is locked. @throws AppError validation_error on `tags` */
async function addTags(ctx: Ctx, of: CopiedPeople, to: string): Promise<void> {
  const names = await tagNames(ctx.db, of.newsletterId, await findCopiedTags(ctx.db, of, to));
  if (names.size === 0) return;
  const tags = [...names.values()].map((name) => ({ name, canonical: name.toLowerCase() }));
  await numberTags(ctx, to, tags);
}

/**
 * Copies or moves people to another newsletter of the account; see `copyMany` and `startBulkAction`.
 * @throws AppError not_found; validation_error on `to`, `tags` and `target`, and on `people` when staff stated the consent of another number
 */
export async function startCopy(
  ctx: Ctx,
  newsletter: Newsletter,
  { kind, to, consent, target }: CopyInput & { target: BulkTarget },
): Promise<BulkAction> {
  const there = await getTarget(ctx, newsletter, to);
  const of = await peopleOf(ctx, newsletter, target);
  if (consent) {
    const { active } = await countPlan(ctx, of, to);
    if (active !== consent.people)
      throw invalid(
        "people",
        `${active} people would become active there by now, and the agreement was for ${consent.people}. Nobody was copied; look at the numbers again.`,
      );
  }
  await addTags(ctx, of, to);
  const copy = {
    ...{ to, toName: there.name, fromName: newsletter.name },
    consent: consent && { source: consent.source, wording: consent.wording },
    ...{ entryId: newId(), undoEntryId: newId() },
  };
  return startBulkAction(ctx, newsletter, { kind, target, change: { copy } });
}
