import type { SkippedCounts, SkipReason } from "../contract/bulk-actions";
import type { StoredEvidence } from "../contract/imports";
import { insertActivities } from "../db/activities";
import { type BulkActionRow, cancelAsked } from "../db/bulk-actions";
import type { StoredCopy } from "../db/bulk-changes";
import type { Tx } from "../db/client";
import { findThere, rememberCopies } from "../db/copied-people";
import { type FieldRow, listFieldRows } from "../db/fields";
import { deleteWithMails } from "../db/import-undo";
import { insertMailing, joinMailing, type Mailing } from "../db/mailings";
import { insertFree, type NewSubscriberRow } from "../db/new-subscribers";
import { findNewsletter, lockNewsletter } from "../db/newsletters";
import { deleteSubscribers, type LockedSubscriber, type StoredFields } from "../db/subscribers";
import { findTags, tagNames } from "../db/tags";
import { parseFieldValue } from "../domain/fields";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { recordPeople } from "./audit";
import { type ActionResult, causeOf } from "./bulk-moves";
import { postConfirmations, sortSubscribers } from "./confirmation-requests";
import { actorOf, type Ctx, staffIdOf } from "./context";

/** The fields of two newsletters that have the same key and type. */
export function matchFields(here: FieldRow[], there: FieldRow[]): { from: FieldRow; to: FieldRow }[] {
  return here.flatMap((from) => {
    const to = there.find(({ key, type }) => key === from.key && type === from.type);
    return to ? { from, to } : [];
  });
}

type Attributes = Pick<NewSubscriberRow, "fields" | "tags">;
type Route = { from: string; to: string };

/** What values of fields are there: those of a field that it has, too, and takes. */
async function translateFields(tx: Tx, { from, to }: Route, people: LockedSubscriber[]) {
  if (people.every(({ fields }) => !fields)) return () => null;
  const pairs = matchFields(await listFieldRows(tx, from), await listFieldRows(tx, to));
  return ({ fields }: LockedSubscriber): StoredFields | null => {
    const values = pairs.flatMap((pair): [string, StoredFields[string]][] => {
      const parsed = parseFieldValue(pair.to, fields?.[pair.from.number] ?? null);
      return parsed.ok && parsed.value !== null ? [[String(pair.to.number), parsed.value]] : [];
    });
    return values.length > 0 ? Object.fromEntries(values) : null;
  };
}

/** The numbers that tags have there; without those that somebody was given since the copy began and it does not have. */
async function translateTags(tx: Tx, { from, to }: Route, people: LockedSubscriber[]) {
  const numbers = [...new Set(people.flatMap(({ tags }) => tags ?? []))];
  if (numbers.length === 0) return () => null;
  const names = await tagNames(tx, from, numbers);
  const canonicals = [...names.values()].map((name) => name.toLowerCase());
  const there = new Map((await findTags(tx, to, canonicals)).map((tag) => [tag.canonical, tag.number]));
  return ({ tags }: LockedSubscriber): number[] | null => {
    const found = (tags ?? []).flatMap((tag) => there.get(names.get(tag)?.toLowerCase() ?? "") ?? []);
    return found.length > 0 ? found : null;
  };
}

async function translateAttributes(tx: Tx, route: Route, people: LockedSubscriber[]) {
  const fieldsOf = await translateFields(tx, route, people);
  const tagsOf = await translateTags(tx, route, people);
  return (person: LockedSubscriber): Attributes => ({ fields: fieldsOf(person), tags: tagsOf(person) });
}

/** Why somebody is skipped for what they said here; null: they are not. */
function reasonHere({ unsubscribedAt, suppression }: LockedSubscriber): SkipReason | null {
  if (unsubscribedAt) return "unsubscribed";
  return suppression ? "not_to_be_mailed" : null;
}

/** How many could not be added, by what the other newsletter knows of them. */
async function countMissing(tx: Tx, to: string, missing: LockedSubscriber[]): Promise<SkippedCounts> {
  const there = await findThere(
    tx,
    to,
    missing.map(({ emailCanonical }) => emailCanonical),
  );
  const reasonOf = ({ emailCanonical }: LockedSubscriber): SkipReason => {
    const person = there.get(emailCanonical);
    return person ? (person.left ? "unsubscribed_there" : "already") : "suppressed_there";
  };
  return sortSubscribers(missing, reasonOf).skipped;
}

/** What the confirmations to those who are added leave together with; null: they may leave at once. */
async function mailingOf(tx: Tx, { id, total, staffId }: BulkActionRow, to: string): Promise<Mailing | null> {
  if (total < 2) return null;
  return (await joinMailing(tx, id)) ?? insertMailing(tx, { id, newsletterId: to, staffId, kind: "copy" });
}

function evidenceOf(
  { kind }: BulkActionRow,
  { fromName, consent }: StoredCopy,
  { status, createdAt, confirmedAt }: LockedSubscriber,
): StoredEvidence {
  return {
    copied: {
      newsletter: fromName,
      moved: kind === "move",
      addedAt: createdAt.toISOString(),
      confirmedAt: confirmedAt?.toISOString() ?? null,
      consent: status === "active" ? consent : null,
    },
  };
}

const copyOf = ({ change }: BulkActionRow): StoredCopy => {
  if (!change?.copy) throw new Error("this action copies nobody");
  return change.copy;
};

/** The other newsletter, locked: nobody archives it meanwhile. @throws AppError validation_error, at which the action ends */
async function lockTarget(tx: Tx, { accountId }: BulkActionRow, { to, toName }: StoredCopy): Promise<void> {
  await lockNewsletter(tx, to);
  const found = await findNewsletter(tx, to);
  if (found?.accountId === accountId && found.archivedAt === null) return;
  const message = `The newsletter ${toName} is ${found?.accountId === accountId ? "archived" : "gone"}, so nobody else was changed.`;
  throw new AppError("validation_error", message, { errors: { to: [message] } });
}

type Copy = { person: LockedSubscriber; row: NewSubscriberRow };

/** Writes down where each came from, and there where they went to. */
async function noteCopies(ctx: Ctx, tx: Tx, action: BulkActionRow, copies: Copy[]): Promise<void> {
  const { newsletterId, accountId, kind, total } = action;
  const copy = copyOf(action);
  const by = { actor: actorOf(ctx), cause: causeOf(action) };
  const ids = copies.map(({ row }) => row.id);
  const evidence = copies.map(({ person }) => evidenceOf(action, copy, person));
  await insertActivities(tx, { newsletterId: copy.to, ids, kind: "created", evidence, ...by });
  const left = copies.map(({ person }) => person.id);
  if (kind === "copy")
    await insertActivities(tx, {
      ...{ newsletterId, ids: left, kind: "copied", ...by },
      evidence: { copiedTo: copy.toName },
    });
  await recordPeople(ctx, tx, {
    ...{ id: copy.entryId, accountId, newsletterId: copy.to, action: `people.${kind}` },
    subjectId: total === 1 ? (ids[0] ?? null) : null,
    detail: { from: copy.fromName },
    people: ids.length,
  });
}

/**
 * Adds locked people to another newsletter: who is active here as staff have stated or asked to confirm, who is pending asked in
 * any case. Whom it has already, or must not write to, is skipped, and so is who said no here. Of a move those who were added are
 * removed here.
 * @throws AppError validation_error when the other newsletter is gone or archived
 */
export async function copyMany(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<ActionResult> {
  const copy = copyOf(action);
  const { to, consent } = copy;
  await lockTarget(tx, action, copy);
  const { chosen, skipped } = sortSubscribers(people, reasonHere);
  const attributesOf = await translateAttributes(tx, { from: action.newsletterId, to }, chosen);
  const all = chosen.map((person): Copy => {
    const { email, emailCanonical, firstName, lastName, status } = person;
    const name = { email, emailCanonical, firstName, lastName };
    const origin = { newsletterId: to, source: "dashboard", sourceId: staffIdOf(ctx) || null };
    const newStatus = status === "active" && consent ? "active" : "pending";
    return { person, row: { id: newId(), ...origin, ...name, status: newStatus, ...attributesOf(person) } };
  });
  const inserted = await insertFree(
    tx,
    all.map(({ row }) => row),
    { asksNobody: true },
  );
  const copies = all.filter(({ row }) => inserted.has(row.id));
  const missing = all.filter(({ row }) => !inserted.has(row.id)).map(({ person }) => person);
  const done = copies.map(({ person }) => person.id);
  if (copies.length > 0) {
    const asked = copies.map(({ row }) => row).filter(({ status }) => status === "pending");
    const mailing = asked.length > 0 ? await mailingOf(tx, action, to) : null;
    const mailIds = await postConfirmations(ctx, tx, asked, mailing);
    const mails = new Map(asked.map(({ id }, i) => [id, mailIds[i]]));
    await noteCopies(ctx, tx, action, copies);
    if (action.kind === "move") await deleteSubscribers(tx, action.newsletterId, done, {});
    else
      await rememberCopies(
        tx,
        action.id,
        copies.map(({ row: { id, status } }) => ({ id, status, mailId: mails.get(id) ?? null })),
      );
  }
  return { done, skipped: { ...skipped, ...(await countMissing(tx, to, missing)) } };
}

/**
 * Removes from the other newsletter whom a copy added and who has done nothing since, with their mails; cancels its unsent mails
 * to those who stay.
 * @param copies locked
 * @returns who is removed
 * @throws AppError validation_error when the other newsletter is gone or archived
 */
export async function removeCopies(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  copies: LockedSubscriber[],
): Promise<string[]> {
  const { id, newsletterId, accountId } = action;
  const copy = copyOf(action);
  const { to, toName, fromName, undoEntryId } = copy;
  await lockTarget(tx, action, copy);
  const untouched = copies.filter(({ version }) => version === 1);
  const ids = untouched.map((person) => person.id);
  const staying = copies.filter(({ version }) => version > 1).map((person) => person.id);
  await cancelAsked(tx, { id, newsletterId: to }, staying);
  if (ids.length === 0) return [];
  const canonicals = untouched.map(({ emailCanonical }) => emailCanonical);
  const here = [...(await findThere(tx, newsletterId, canonicals)).values()].map((person) => person.id);
  await insertActivities(tx, {
    ...{ newsletterId, ids: here, kind: "put_back", evidence: { copiedTo: toName } },
    ...{ actor: actorOf(ctx), cause: causeOf(action) },
  });
  await deleteWithMails(tx, to, ids);
  await recordPeople(ctx, tx, {
    ...{ id: undoEntryId, accountId, newsletterId: to, action: "people.undone", subjectId: null },
    detail: { kind: "copy", from: fromName },
    people: ids.length,
  });
  return ids;
}
