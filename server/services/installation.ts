import { hashPassword } from "better-auth/crypto";
import { isSetupToken } from "../auth/setup-link";
import { Setup } from "../contract/names";
import type { Db } from "../db/client";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { insertKey } from "./api-keys";
import { type Ctx, withTransaction } from "./context";
import { insertAccount, insertNewsletter } from "./newsletters";
import { parse } from "./parse";

/** Whether somebody has claimed this installation. */
export async function isClaimed(db: Db): Promise<boolean> {
  return (await db.account.findFirst({ select: { id: true } })) !== null;
}

/** Whether this token still opens the setup page. */
export async function readSetupToken(
  { db, authSecret }: { db: Db; authSecret: string },
  token: string,
): Promise<boolean> {
  return isSetupToken(authSecret, token) && !(await isClaimed(db));
}

/**
 * Claims the installation: account, first newsletter, owner and a first key, all or nothing, and only once.
 * `key.secret` is shown this once.
 * @throws AppError validation_error by field, or on `body` when it is claimed already
 */
export async function setUp(ctx: Pick<Ctx, "db" | "actor" | "requestId">, input: Setup) {
  const { account: accountName, newsletter: newsletterName, email, password } = parse(Setup, input);
  // Slow on purpose, so not inside the transaction.
  const passwordHash = await hashPassword(password);
  return withTransaction(ctx, async (tx) => {
    // Two at once would both find an empty table.
    await tx.$executeRaw`LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE`;
    if (await tx.account.findFirst({ select: { id: true } })) {
      const message = "Rollcall is set up already. Sign in, or use create-account and create-newsletter.";
      throw new AppError("validation_error", message, { errors: { body: [message] } });
    }
    const account = await insertAccount(ctx, tx, accountName);
    const newsletter = await insertNewsletter(ctx, tx, account.id, newsletterName);
    const staffId = newId();
    await tx.staffMember.create({
      data: {
        id: staffId,
        accountId: account.id,
        email: email.canonical,
        name: email.email,
        role: "owner",
        // Whoever sets up holds the machine: there is nobody to prove the address to.
        emailVerified: true,
        credentials: {
          create: {
            id: newId(),
            providerId: "credential",
            providerAccountId: staffId,
            password: passwordHash,
          },
        },
      },
    });
    const key = await insertKey(ctx, tx, newsletter, { name: "First key" });
    return {
      account: { id: account.id, name: account.name },
      newsletter: { id: newsletter.id, name: newsletter.name },
      staff: { id: staffId, email: email.canonical },
      key,
    };
  });
}
