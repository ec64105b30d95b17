import { newId } from "../kernel/ids";
import { WEEK_MS } from "../kernel/time";
import type { ConfirmationClaims } from "../mail/signed-links";
import type { Db, Tx } from "../platform/db/client";
import type { Status } from "../subscribers/status-moves";
import { suppress } from "../suppressions/queries/suppressions";
import type { SuppressionReason } from "../suppressions/schema/suppression-messages";

export async function addNewsletter(
  db: Db,
  {
    name = "Weekly",
    language = "en",
    replyTo = null,
    accountId,
  }: { name?: string; language?: string; replyTo?: string | null; accountId?: string } = {},
): Promise<{ id: string; accountId: string }> {
  const account = accountId ?? (await db.account.create({ data: { id: newId(), name: "Test" } })).id;
  return db.newsletter.create({ data: { id: newId(), accountId: account, name, language, replyTo } });
}

/** Suppresses an address like its reader, a mail server or a staff member. */
export function suppressAddress(
  db: Db | Tx,
  newsletterId: string,
  { email, reason, at = null }: { email: string; reason: SuppressionReason; at?: Date | null },
): Promise<number> {
  const source = reason === "bounced" ? "mail" : reason === "manual" ? "dashboard" : "person";
  return suppress(db, [{ newsletterId, emailCanonical: email.toLowerCase(), email, reason, source, at }]);
}

/** Adds people with the same values in one statement. @returns their ids, in ascending order */
export async function addPeople(
  db: Db | Tx,
  newsletterId: string,
  people: number,
  more: { status?: string; source?: string; createdAt?: Date; fields?: object; tags?: number[] } = {},
): Promise<string[]> {
  const ids = Array.from({ length: people }, () => newId());
  const unsubscribedAt = more.status === "unsubscribed" ? new Date() : null;
  await db.subscriber.createMany({
    data: ids.map((id) => ({
      ...{ newsletterId, id, email: `${id}@example.org`, emailCanonical: `${id}@example.org` },
      ...{ status: "active", source: "api", unsubscribedAt, ...more },
    })),
  });
  return ids;
}

type Options = { status?: Status; email?: string; expiresInMs?: number; state?: string; mailed?: boolean };

/** Adds the rows of a person and their confirmation email, and returns the content of the email's link. */
export async function addLinkedPerson(
  db: Db,
  newsletterId: string,
  {
    status = "pending",
    email,
    expiresInMs = WEEK_MS,
    mailed = true,
    state = mailed ? "sent" : "logged",
  }: Options = {},
): Promise<ConfirmationClaims & { email: string }> {
  const [subscriberId, mailId] = [newId(), newId()];
  const address = email ?? `person-${subscriberId}@lovelace.org`;
  // Links contain whole seconds.
  const expiresAt = new Date(Math.floor((Date.now() + expiresInMs) / 1000) * 1000);
  await db.subscriber.create({
    data: {
      newsletterId,
      id: subscriberId,
      email: address,
      emailCanonical: address.toLowerCase(),
      status,
      source: "api",
      unsubscribedAt: status === "unsubscribed" ? new Date() : null,
    },
  });
  await db.mail.create({
    data: {
      id: mailId,
      newsletterId,
      subscriberId,
      kind: "confirmation",
      toEmail: address,
      recipientHash: address,
      state,
      ...(mailed && { batchId: newId(), batchPosition: 0 }),
      subject: "Confirm your subscription",
      html: "",
      text: "",
      linkExpiresAt: expiresAt,
    },
  });
  return { newsletterId, subscriberId, mailId, expiresAt, email: address };
}

/** The row of an endpoint that receives nothing. */
export const silentEndpoint = (newsletterId: string) => ({
  ...{ id: newId(), newsletterId, url: "https://shop.example/hook", description: "", events: [], secret: "" },
  ...{ epoch: newId(), xid: 0n, subscriberId: newId() },
});
