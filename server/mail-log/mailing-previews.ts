import type { BulkTarget } from "../bulk-actions/bulk-actions";
import type { SkippedCounts, SkipReason } from "../bulk-actions/schema/bulk-actions";
import { getImport } from "../imports/imports";
import { listPendingNames } from "../imports/shared-queries";
import type { RetryableState } from "../mail/schema/mail-states";
import { type MailingPreview, maxPreviewed } from "../mail/schema/mailings";
import type { CancelReason } from "../mail/shared-queries";
import { sortAskable } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import {
  allOf,
  countPeople,
  type LockedSubscriber,
  newestMatching,
  type PeopleFilter,
  readSubscribers,
} from "../subscribers/shared-queries";
import { findRetryable, readRetryable } from "./queries/retries";
import { checkRetries } from "./retries";

type PreviewCtx = Pick<Ctx, "db">;
type Preview = Omit<MailingPreview, "delaySeconds">;
type RetryTarget = { state: RetryableState; code: string | null };
type MailingTarget = BulkTarget | { importId: string } | RetryTarget;

/** People looked at together. */
const PAGE = 1_000;
const NAMES = 3;

const nameOf = ({ firstName, email }: LockedSubscriber) => firstName || email;

function addSkipped(sum: SkippedCounts, more: SkippedCounts): void {
  for (const [reason, people] of Object.entries(more) as [SkipReason, number][])
    if (people > 0) sum[reason] = (sum[reason] ?? 0) + people;
}

/** Adds to a preview the people of this page who would be mailed now, and the reasons for the others. */
async function addPage(ctx: PreviewCtx, newsletterId: string, ids: string[], sum: Preview): Promise<void> {
  const people = await readSubscribers(ctx.db, newsletterId, ids);
  const { chosen, skipped } = await sortAskable(ctx.db, newsletterId, people);
  sum.mails += chosen.length;
  const named = [...chosen].sort((a, b) => Number(b.firstName !== "") - Number(a.firstName !== ""));
  sum.names.push(...named.slice(0, NAMES - sum.names.length).map(nameOf));
  addSkipped(sum.skipped, skipped);
  addSkipped(sum.skipped, { changed_meanwhile: ids.length - people.length });
}

async function previewChosen(ctx: PreviewCtx, newsletterId: string, ids: string[]): Promise<Preview> {
  const sum: Preview = { mails: 0, atMost: false, names: [], skipped: {} };
  for (let i = 0; i < ids.length; i += PAGE) await addPage(ctx, newsletterId, ids.slice(i, i + PAGE), sum);
  return sum;
}

async function previewMatching(ctx: PreviewCtx, filter: PeopleFilter): Promise<Preview> {
  const sum: Preview = { mails: 0, atMost: false, names: [], skipped: {} };
  const total = await countPeople(ctx.db, filter);
  const isPending = allOf({ about: "status", is: ["pending"] });
  const pending: PeopleFilter = { ...filter, filters: [isPending, ...filter.filters] };
  const candidates = await countPeople(ctx.db, pending);
  addSkipped(sum.skipped, { not_pending: total - candidates });
  if (candidates === 0) return sum;
  const atMost = candidates > maxPreviewed;
  for (let after: string | null = null; ; ) {
    const ids = await newestMatching(ctx.db, pending, PAGE, after);
    await addPage(ctx, filter.newsletterId, ids, sum);
    if (atMost) return { ...sum, mails: candidates, atMost, skipped: { not_pending: total - candidates } };
    if (ids.length < PAGE) return sum;
    after = ids.at(-1) ?? null;
  }
}

async function previewImport(ctx: PreviewCtx, newsletterId: string, importId: string): Promise<Preview> {
  const { counts } = await getImport(ctx, { newsletterId, importId });
  const names = await listPendingNames(ctx.db, importId, NAMES);
  return { mails: counts.new_pending, atMost: false, names, skipped: {} };
}

const skipReasonOf = (reason: CancelReason): SkipReason => {
  if (reason === "superseded") return "asked_since";
  return reason === "not_pending" ? reason : "not_to_be_mailed";
};

async function previewRetry(ctx: PreviewCtx, newsletterId: string, target: RetryTarget): Promise<Preview> {
  const asked = new Map<string, LockedSubscriber>();
  const skipped: SkippedCounts = {};
  for (let before: string | null = null; ; ) {
    const ids = await findRetryable(ctx.db, newsletterId, { ...target, before }, PAGE);
    const mails = await readRetryable(ctx.db, newsletterId, ids, false);
    const people = await readSubscribers(
      ctx.db,
      newsletterId,
      mails.map(({ subscriberId }) => subscriberId),
    );
    for (const { person, cancelReason } of await checkRetries(ctx.db, newsletterId, mails, people)) {
      if (cancelReason) addSkipped(skipped, { [skipReasonOf(cancelReason)]: 1 });
      else if (person) asked.set(person.id, person);
    }
    before = ids.at(-1) ?? null;
    if (ids.length < PAGE) {
      const names = [...asked.values()].slice(0, NAMES).map(nameOf);
      return { mails: asked.size, atMost: false, names, skipped };
    }
  }
}

/**
 * Previews the mails and the skipped people of an action before it runs. Changes and locks nothing.
 * @throws AppError not_found, for an import that does not exist
 */
export async function previewMailing(
  ctx: PreviewCtx,
  { newsletter, target }: { newsletter: { id: string; sendDelaySeconds: number }; target: MailingTarget },
): Promise<MailingPreview> {
  const { id, sendDelaySeconds: delaySeconds } = newsletter;
  const preview = () => {
    if ("importId" in target) return previewImport(ctx, id, target.importId);
    if ("state" in target) return previewRetry(ctx, id, target);
    return "ids" in target ? previewChosen(ctx, id, target.ids) : previewMatching(ctx, target.filter);
  };
  return { ...(await preview()), delaySeconds };
}
