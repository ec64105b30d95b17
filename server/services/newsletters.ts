import { Title } from "../contract/names";
import { announceKeyChange } from "../db/api-keys";
import type { Db, Tx } from "../db/client";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { isId, parse } from "./parse";

type Acting = Pick<Ctx, "db" | "actor" | "requestId">;

/** @throws AppError not_found, also for what is no id at all */
export async function getNewsletter(db: Db | Tx, id: string) {
  const newsletter = isId(id) ? await db.newsletter.findUnique({ where: { id } }) : null;
  if (!newsletter) throw new AppError("not_found", `There is no newsletter with the id ${id}.`);
  return newsletter;
}

/** @throws AppError not_found, also for what is no id at all */
export async function getAccount(db: Db | Tx, id: string) {
  const account = isId(id) ? await db.account.findUnique({ where: { id } }) : null;
  if (!account) throw new AppError("not_found", `There is no account with the id ${id}.`);
  return account;
}

export async function insertAccount(ctx: Acting, tx: Tx, name: string) {
  const account = await tx.account.create({ data: { id: newId(), name: parse(Title, name) } });
  await record(ctx, tx, { accountId: account.id, action: "account.created", subjectId: account.id });
  return account;
}

export async function insertNewsletter(ctx: Acting, tx: Tx, accountId: string, name: string) {
  const newsletter = await tx.newsletter.create({
    data: { id: newId(), accountId, name: parse(Title, name) },
  });
  await record(ctx, tx, {
    accountId,
    newsletterId: newsletter.id,
    action: "newsletter.created",
    subjectId: newsletter.id,
  });
  return newsletter;
}

/** @throws AppError validation_error */
export function createAccount(ctx: Acting, name: string) {
  return withTransaction(ctx, (tx) => insertAccount(ctx, tx, name));
}

/** @throws AppError not_found, validation_error */
export function createNewsletter(ctx: Acting, accountId: string, name: string) {
  return withTransaction(ctx, async (tx) => {
    await getAccount(tx, accountId);
    return insertNewsletter(ctx, tx, accountId, name);
  });
}

/** Switches the account's API access; every process knows at once. @throws AppError not_found */
export function setApiAccess(ctx: Acting, accountId: string, on: boolean) {
  return withTransaction(ctx, async (tx) => {
    await getAccount(tx, accountId);
    await tx.account.update({ where: { id: accountId }, data: { apiAccess: on } });
    await announceKeyChange(tx);
    await record(ctx, tx, {
      accountId,
      action: on ? "api_access.on" : "api_access.off",
      subjectId: accountId,
    });
  });
}

/** An account by name, with its newsletters, oldest first. @throws AppError not_found */
export async function newslettersOf({ db }: Pick<Ctx, "db">, accountId: string) {
  const [account, newsletters] = await Promise.all([
    getAccount(db, accountId),
    db.newsletter.findMany({
      where: { accountId },
      orderBy: { id: "asc" },
      select: { id: true, name: true, timeZone: true },
    }),
  ]);
  return { account: { id: account.id, name: account.name }, newsletters };
}
