import { z } from "zod";
import { type ActorContext, withTransaction } from "../accounts/context";
import { createAccount, createNewsletter } from "../accounts/newsletters";
import { hasAccount, lockAccounts } from "../accounts/shared-queries";
import { makeKey } from "../api-keys/api-keys";
import { invalidField, parse } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { Password, Title } from "../kernel/title-and-password";
import type { Db, Tx } from "../platform/db/client";
import { checkNewPassword } from "../staff/password-rules";
import { findStaffLink, insertStaffLink, insertStaffMember } from "../staff/shared-queries";
import { hashPassword } from "../staff/sign-in/password-hashing";
import { EmailField } from "../subscribers/schema/subscriber";

/** The input that claims an installation: the account, its first newsletter and its owner. */
const Setup = z.object({
  account: Title,
  newsletter: Title,
  /** The owner's name; absent: the address. */
  name: Title.optional(),
  email: EmailField,
  password: Password,
});
type Setup = z.input<typeof Setup>;

const isSetUp = () => {
  const message = "Rollcall is already set up. Sign in, or use `accounts create` and `newsletters create`.";
  return invalidField("body", message);
};

/**
 * Makes a link that sets up this installation in the browser, once, within an hour.
 * @throws AppError validation_error when the installation is set up already
 */
export async function makeSetupLink({ db, appUrl }: { db: Db; appUrl: string }): Promise<string> {
  if (await hasAccount(db)) throw isSetUp();
  const token = await db.$transaction((tx) => insertStaffLink(tx, "set up", { staffId: "", email: "" }));
  return `${appUrl}/setup?token=${token}`;
}

/** Whether this token still opens the setup page. */
export async function readSetupToken({ db }: { db: Db }, { token }: { token: string }): Promise<boolean> {
  return (await findStaffLink(db, { purpose: "set up", token })) !== null && !(await hasAccount(db));
}

/**
 * Sets up the installation once: account, first newsletter, owner and first API key, all or nothing. `key.secret` is
 * shown only this once.
 * @throws AppError validation_error by field, or on `body` when the installation is set up already
 */
export const setUp = (ctx: ActorContext, input: Setup) =>
  claim(ctx, input, (tx, newsletter) => makeKey(ctx, tx, newsletter, { name: "First key" }));

/** Sets up the installation as `setUp` does, without an API key: the owner creates keys in the dashboard. */
export const setUpWithoutKey = (ctx: ActorContext, input: Setup) => claim(ctx, input, async () => null);

type Newsletter = Parameters<typeof makeKey>[2];

async function claim<Key>(
  ctx: ActorContext,
  input: Setup,
  firstKey: (tx: Tx, newsletter: Newsletter) => Promise<Key>,
) {
  const { account: accountName, newsletter: newsletterName, name, email, password } = parse(Setup, input);
  checkNewPassword(password, [email.email, accountName, newsletterName, ...(name ? [name] : [])]);
  // Hashing is slow on purpose, so it runs outside the transaction.
  const passwordHash = await hashPassword(password);
  return withTransaction(ctx, async (tx) => {
    await lockAccounts(tx);
    if (await hasAccount(tx)) throw isSetUp();
    const inside = { ...ctx, tx };
    const account = await createAccount(inside, { name: accountName });
    const newsletter = await createNewsletter(inside, { accountId: account.id, name: newsletterName });
    const staff = { id: newId(), email: email.canonical };
    await insertStaffMember(tx, {
      ...staff,
      accountId: account.id,
      name: name ?? email.email,
      role: "owner",
      passwordHash,
    });
    const key = await firstKey(tx, newsletter);
    return {
      account: { id: account.id, name: account.name },
      newsletter: { id: newsletter.id, name: newsletter.name },
      staff,
      key,
    };
  });
}
