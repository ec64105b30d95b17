import { actorOf, withTransaction } from "../accounts/context";
import type { Tx } from "../platform/db/client";
import { resolveOwnAttributes } from "../subscribers/attributes";
import { postConfirmations, sortAskable } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import { insertWithMails } from "../subscribers/create-subscribers";
import type { FieldValue } from "../subscribers/field-values";
import type { Address, PersonName } from "../subscribers/schema/subscriber";
import {
  insertActivities,
  type LockedSubscriber,
  lockAddresses,
  lockSubscribers,
} from "../subscribers/shared-queries";
import { changeSubscriber, newRow } from "../subscribers/subscribers";
import { mayAsk } from "../suppressions/schema/suppressions";
import type { Agreement } from "./schema/sign-up-page";

type SignUpCtx = Ctx & { actor: Extract<Ctx["actor"], { kind: "page" }> };

/** What a stranger typed into a sign-up page, validated. */
export type SignUp = {
  email: Address;
  name: PersonName;
  /** By key; only those that the page shows. */
  fields: Record<string, FieldValue>;
  agreement: Agreement;
};

/**
 * Asks somebody by mail who is on the list already. What they are called and their fields stay: a stranger may have typed
 * others. Nothing happens to who is active, to who may not be written to, and to who was asked lately.
 */
async function askKnown(ctx: SignUpCtx, tx: Tx, person: LockedSubscriber): Promise<boolean> {
  const { newsletterId, status, suppression: reason, askedAt } = person;
  if (status === "active") return false;
  if (status === "unsubscribed") {
    if (reason !== null && !mayAsk({ reason, askedAt })) return false;
    await changeSubscriber(ctx, tx, person, { patch: { status: "pending" }, attributes: {} });
    return true;
  }
  const { chosen } = await sortAskable(tx, newsletterId, [person]);
  await postConfirmations(ctx, tx, chosen);
  return chosen.length > 0;
}

/**
 * Takes a sign-up from a newsletter's page: who is new is pending and asked by mail, as is who is pending or has unsubscribed and
 * may be asked; see `askKnown` for who is there already. Says nothing of who was there: the page shows the same to all.
 * @throws AppError validation_error on `fields.KEY`
 */
export async function signUp(ctx: SignUpCtx, newsletterId: string, input: SignUp): Promise<void> {
  const { email, name, fields, agreement } = input;
  const attributes = await resolveOwnAttributes(ctx, newsletterId, { input: { fields } });
  const origin = { newsletterId, source: "public", sourceId: null } as const;
  await withTransaction(ctx, async (tx) => {
    const row = newRow(origin, { email, name, status: "pending" }, attributes);
    const activity = { newsletterId, actor: actorOf(ctx), evidence: { agreed: agreement } };
    const inserted = await insertWithMails(ctx, tx, [row]);
    if (inserted.has(row.id)) {
      await insertActivities(tx, { ...activity, ids: [row.id], kind: "created" });
      return;
    }
    const [known] = await lockAddresses(tx, newsletterId, [email.canonical]);
    // Not there, and not to be added: suppressed.
    if (!known) return;
    const [person] = await lockSubscribers(tx, newsletterId, [known.id]);
    if (person && (await askKnown(ctx, tx, person)))
      await insertActivities(tx, { ...activity, ids: [person.id], kind: "signed_up" });
  });
}
