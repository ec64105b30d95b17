import { AppError, parse } from "../kernel/errors";
import { isId, newId } from "../kernel/ids";
import { Title } from "../kernel/title-and-password";
import type { Db, Tx } from "../platform/db/client";
import { record } from "./audit";
import { type ActorContext, withTransaction } from "./context";
import { findAccount, insertAccount } from "./queries/accounts";
import {
  findNewsletter,
  insertNewsletter,
  listNewsletters,
  lockNewsletter,
  type NewsletterRow,
  updateNewsletter,
} from "./queries/newsletters";
import type { AuditAction } from "./schema/audit-actions";

/** @throws AppError not_found, also for an invalid id */
export async function getNewsletter(db: Db | Tx, id: string): Promise<NewsletterRow> {
  const newsletter = isId(id) ? await findNewsletter(db, id) : null;
  if (!newsletter) throw new AppError("not_found", `Unknown newsletter id: ${id}.`);
  return newsletter;
}

/**
 * Locks and returns a newsletter. After a double click, the second request sees the first request's change. @throws
 * AppError not_found
 */
export async function lockAndGetNewsletter(tx: Tx, id: string): Promise<NewsletterRow> {
  if (isId(id)) await lockNewsletter(tx, id);
  return getNewsletter(tx, id);
}

/** @throws AppError not_found, also for an invalid id */
export async function getAccount(db: Db | Tx, id: string) {
  const account = isId(id) ? await findAccount(db, id) : null;
  if (!account) throw new AppError("not_found", `Unknown account id: ${id}.`);
  return account;
}

/** @throws AppError validation_error */
export function createAccount(ctx: ActorContext, { name }: { name: string }) {
  return withTransaction(ctx, async (tx) => {
    const account = await insertAccount(tx, { id: newId(), name: parse(Title, name) });
    await record(ctx, tx, { accountId: account.id, action: "account.created", subjectId: account.id });
    return account;
  });
}

/** @throws AppError not_found, validation_error */
export function createNewsletter(
  ctx: ActorContext,
  { accountId, name }: { accountId: string; name: string },
) {
  return withTransaction(ctx, async (tx) => {
    await getAccount(tx, accountId);
    const newsletter = await insertNewsletter(tx, { id: newId(), accountId, name: parse(Title, name) });
    const { id } = newsletter;
    await record(ctx, tx, { accountId, newsletterId: id, action: "newsletter.created", subjectId: id });
    return newsletter;
  });
}

/** The new values of settings, for the audit log. */
type ChangedTo = Record<string, boolean | number | null>;

type NewsletterChange = {
  newsletterId: string;
  changes: Partial<NewsletterRow>;
  /**
   * The values when the form was opened. Columns that the form didn't change stay as they are now. Absent: all columns
   * are written.
   */
  was?: Partial<NewsletterRow> | undefined;
  action: AuditAction;
  detail?: ChangedTo;
  /** The audit entry also holds the old and new values. Only for settings, not for email texts. */
  keepsValues?: boolean;
};

const CLASH =
  "Someone changed the same settings since you opened this page. Your changes were not saved. Copy what you need, then reload the page.";

/** Returns the old and new values of settings by name, for the audit log. */
function valuesOf(names: (keyof NewsletterRow)[], before: NewsletterRow, after: Partial<NewsletterRow>) {
  const texts = (row: Partial<NewsletterRow>) =>
    Object.fromEntries(names.map((name) => [name, String(row[name] ?? "")]));
  return { was: texts(before), now: texts(after) };
}

/**
 * Writes the changed columns, and an audit entry with their names. Without a change, writes nothing.
 * @returns the names of the changed columns
 * @throws AppError validation_error when another request changed one of these columns meanwhile
 */
export function changeNewsletter(
  ctx: ActorContext,
  { newsletterId, changes, was, action, detail, keepsValues }: NewsletterChange,
): Promise<(keyof NewsletterRow)[]> {
  return withTransaction(ctx, async (tx) => {
    const before = await lockAndGetNewsletter(tx, newsletterId);
    const columns = Object.keys(changes) as (keyof NewsletterRow)[];
    const changed = columns.filter(
      (column) => changes[column] !== before[column] && (!was || changes[column] !== was[column]),
    );
    if (changed.length === 0) return changed;
    if (was && changed.some((column) => was[column] !== before[column]))
      throw new AppError("validation_error", CLASH);
    const values = Object.fromEntries(changed.map((column) => [column, changes[column]]));
    await updateNewsletter(tx, newsletterId, values);
    const entry = { accountId: before.accountId, newsletterId, action, subjectId: newsletterId };
    const kept = keepsValues && valuesOf(changed, before, changes);
    await record(ctx, tx, { ...entry, detail: { ...detail, changed, ...kept } });
    return changed;
  });
}

/** Returns an account's name and its newsletters, oldest first. @throws AppError not_found */
export async function getAccountWithNewsletters(
  { db }: Pick<ActorContext, "db">,
  { accountId }: { accountId: string },
) {
  const [account, newsletters] = await Promise.all([
    getAccount(db, accountId),
    listNewsletters(db, accountId),
  ]);
  return { account: { id: account.id, name: account.name }, newsletters };
}
