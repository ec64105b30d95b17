import { record } from "../accounts/audit";
import {
  type ActorContext,
  type NewsletterRef,
  type OfNewsletter,
  staffIdOf,
  withTransaction,
} from "../accounts/context";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { listAuditOf } from "../accounts/shared-queries";
import type { SkipReason } from "../bulk-actions/schema/bulk-actions";
import { listMessagesAbout } from "../events/about-people";
import { AppError, invalidField } from "../kernel/errors";
import { withoutTokens } from "../mail/signed-links";
import type { Db, Tx } from "../platform/db/client";
import { suppressionSentences } from "../suppressions/schema/suppression-messages";
import { findSuppression, liftBounce } from "../suppressions/shared-queries";
import { askPending, findAskingObstacle } from "./confirmation-requests";
import type { Ctx } from "./context";
import { type PresentedPerson, presentPeople } from "./people";
import { findNote, writeNote } from "./queries/person-notes";
import { exportSubscriberMails, findLinkedMail } from "./queries/subscriber-mails";
import {
  type LockedSubscriber,
  listNamedSubscribers,
  lockSubscribers,
  readSubscribers,
} from "./queries/subscribers";
import { type OfSubscriber, type SubscriberUpdate, updateSubscriber } from "./subscribers";
import { readTimeline } from "./timeline";

const gone = () => new AppError("not_found", "This person is no longer on the list.");

type OfPerson = OfNewsletter & OfSubscriber;

/** Few people have more activities, and no screen shows more. */
const TIMELINE = 300;
/** The maximum in a file. */
const EVERYTHING = 100_000;

/** Changes a person as the API does. The error about a person who is gone is in the words of the dashboard. */
export async function changePerson(ctx: Ctx, update: SubscriberUpdate) {
  return updateSubscriber(ctx, update).catch((error) => {
    throw error instanceof AppError && error.code === "not_found" ? gone() : error;
  });
}

/**
 * A person with activities (newest first), note, and the reason for a suppression.
 * @throws AppError not_found, also for a person of another newsletter
 */
async function readPerson(db: Db, newsletterId: string, id: string, activities: number) {
  const [[row], timeline, note] = await Promise.all([
    listNamedSubscribers(db, newsletterId, [id]),
    readTimeline({ db }, { newsletterId, id, limit: activities }),
    findNote(db, newsletterId, id),
  ]);
  if (!row) throw gone();
  const [[person], suppression] = await Promise.all([
    presentPeople({ db }, { newsletterId, rows: [row] }),
    findSuppression(db, newsletterId, row.emailCanonical),
  ]);
  return { row, person: person as PresentedPerson, activities: timeline, note, suppression };
}

/** A person with activities, newest first. @throws AppError not_found */
export async function getPerson({ db }: Pick<Ctx, "db">, { newsletterId, id }: OfSubscriber) {
  const [{ person, activities, note, suppression }, asked, asking] = await Promise.all([
    readPerson(db, newsletterId, id, TIMELINE),
    findLinkedMail(db, newsletterId, id),
    readSubscribers(db, newsletterId, [id]).then(([row]) => row && findAskingObstacle(db, row)),
  ]);
  return {
    person: { ...person, suppression, asking: asking ?? null },
    /** The state of the link in a pending person's newest confirmation email. Never the link itself. */
    asked,
    note,
    activities,
  };
}

/** All stored data about a person, for the person: details, activities, full emails. @throws AppError not_found */
export async function exportPerson(
  ctx: Pick<Ctx, "db" | "actor" | "requestId">,
  { newsletter, id }: { newsletter: NewsletterRef & { name: string }; id: string },
) {
  const { db } = ctx;
  const { accountId, id: newsletterId } = newsletter;
  const [{ row, person, activities, note, suppression }, mails, actions, told] = await Promise.all([
    readPerson(db, newsletter.id, id, EVERYTHING),
    exportSubscriberMails(db, newsletter.id, id),
    listAuditOf(db, newsletter.accountId, id),
    listMessagesAbout(db, id),
  ]);
  const { emailCanonical, sourceId } = row;
  const entry = { accountId, newsletterId, action: "subscriber.exported", subjectId: id } as const;
  await withTransaction(ctx, (tx) => record(ctx, tx, entry));
  return {
    exportedAt: new Date(),
    newsletter: newsletter.name,
    person: { ...person, emailCanonical, sourceId },
    suppression,
    note,
    activities: activities.reverse(),
    // Staff receive this file before the person does.
    mails: mails.map(({ html, text, ...mail }) => ({
      ...mail,
      html: html && withoutTokens(html),
      text: text && withoutTokens(text),
    })),
    actionsOfStaff: actions,
    // Only the host of the URL: its path may be a secret.
    webhooks: told.map(({ endpoint, ...message }) => ({ to: new URL(endpoint.url).host, ...message })),
  };
}

/** Locks one person, runs `work` and writes an audit entry. @throws AppError not_found */
function withPerson(
  ctx: Pick<Ctx, "db" | "actor" | "requestId">,
  { newsletterId, accountId, id }: OfPerson,
  { action, work }: { action: AuditAction; work: (tx: Tx, person: LockedSubscriber) => Promise<unknown> },
): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const [person] = await lockSubscribers(tx, newsletterId, [id]);
    if (!person) throw gone();
    await work(tx, person);
    await record(ctx, tx, { accountId, newsletterId, action, subjectId: id });
  });
}

/**
 * Lifts the suppression of a bounced address, whose mailbox may work again. Opt-outs stay.
 * @throws AppError not_found, validation_error when the address has not bounced
 */
export function allowMail(ctx: Pick<Ctx, "db" | "actor" | "requestId">, of: OfPerson): Promise<void> {
  return withPerson(ctx, of, {
    action: "people.mail_allowed",
    async work(tx, { emailCanonical }) {
      if (!(await liftBounce(tx, of.newsletterId, emailCanonical)))
        throw new AppError("validation_error", "This address has no bounce. Nothing was changed.");
    },
  });
}

const NOTE_CHANGED = "This note was changed since you opened it. Your changes were not saved.";

/**
 * Saves the note on a person. An empty text deletes the note.
 * @param input version: the version that was read; 0 when no note existed
 * @throws AppError not_found; validation_error on `version` after another staff member's edit
 */
export function saveNote(
  ctx: ActorContext,
  { text, version, ...of }: OfPerson & { text: string; version: number },
): Promise<void> {
  return withPerson(ctx, of, {
    action: "subscriber.note_changed",
    async work(tx) {
      const note = { newsletterId: of.newsletterId, subscriberId: of.id, text, version };
      if (await writeNote(tx, { ...note, staffId: staffIdOf(ctx) })) return;
      throw invalidField("version", NOTE_CHANGED);
    },
  });
}

/** Messages for staff: why Rollcall can't send a person a confirmation email now. */
function notAsked({ suppression }: LockedSubscriber, reason: SkipReason): string {
  if (reason === "not_to_be_mailed" && suppression) return suppressionSentences[suppression];
  const reasons: Partial<Record<SkipReason, string>> = {
    not_pending: "This person is not pending, so no confirmation was sent.",
    on_its_way: "A confirmation to this person is already queued.",
    asked_lately:
      "The last confirmation was requested less than a minute ago. Wait a minute, then try again.",
    asked_often: "Three confirmations were requested today, which is the limit. Try again tomorrow.",
  };
  return reasons[reason] ?? "No email was sent.";
}

/** Sends one person another confirmation email. @throws AppError not_found, validation_error with the reason */
export function askAgain(ctx: Ctx, of: OfPerson): Promise<void> {
  return withPerson(ctx, of, {
    action: "people.confirm",
    async work(tx, person) {
      const reason = await askPending(ctx, tx, person);
      if (reason !== null) throw invalidField("confirmation", notAsked(person, reason));
    },
  });
}
