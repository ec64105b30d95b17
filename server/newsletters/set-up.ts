import { z } from "zod";
import { type ActorContext, withTransaction } from "../accounts/context";
import { createAccount, createNewsletter } from "../accounts/newsletters";
import { hasAccount, lockAccounts } from "../accounts/shared-queries";
import { makeKey } from "../api-keys/api-keys";
import { invalidField, parse } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { Password, Title } from "../kernel/title-and-password";
import type { Db } from "../platform/db/client";
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

/** Sets up the installation, with a first API key. `key.secret` is shown only this once. @throws as `setUpWithoutKey` */
export const setUp = (ctx: ActorContext, input: Setup) =>
  withTransaction(ctx, async (tx) => {
    const made = await setUpWithoutKey({ ...ctx, tx }, input);
    const newsletter = { id: made.newsletter.id, accountId: made.account.id };
    return { ...made, key: await makeKey(ctx, tx, newsletter, { name: "First key" }) };
  });

/**
 * Sets up the installation once: account, first newsletter and owner, all or nothing.
 * @throws AppError validation_error by field, or on `body` when the installation is set up already
 */
export async function setUpWithoutKey(ctx: ActorContext, input: Setup) {
  const { account: accountName, newsletter: newsletterName, name, email, password } = parse(Setup, input);
  checkNewPassword(password, [email.email, accountName, newsletterName, ...(name ? [name] : [])]);
  // Hashing is slow on purpose, so it runs before the lock.
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
    return {
      account: { id: account.id, name: account.name },
      newsletter: { id: newsletter.id, name: newsletter.name },
      staff,
    };
  });
}
