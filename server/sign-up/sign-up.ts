import { actorOf, withTransaction } from "../accounts/context";
import type { Tx } from "../platform/db/client";
import { resolveOwnAttributes } from "../subscribers/attributes";
import { askPending, isMailable } from "../subscribers/confirmation-requests";
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
import type { Agreement } from "./schema/sign-up-page";

type SignUpCtx = Ctx & { actor: Extract<Ctx["actor"], { kind: "page" }> };

/** A visitor's validated input on a sign-up page. */
export type SignUp = {
  newsletterId: string;
  email: Address;
  name: PersonName;
  /** By key; only fields on the page. */
  fields: Record<string, FieldValue>;
  agreement: Agreement;
};

/**
 * Mails a confirmation to a person who is on the newsletter already. Their name and fields stay, since a stranger may
 * have typed others. Active people, people who must not be mailed and recently mailed people get no email.
 */
async function askKnown(ctx: SignUpCtx, tx: Tx, person: LockedSubscriber): Promise<boolean> {
  if (person.status === "active") return false;
  if (person.status === "unsubscribed") {
    if (!isMailable(person)) return false;
    await changeSubscriber(ctx, tx, person, { patch: { status: "pending" }, attributes: {} });
    return true;
  }
  return (await askPending(ctx, tx, person)) === null;
}

/**
 * Takes a sign-up from a newsletter's page. New people become pending and get a confirmation email; `askKnown` handles
 * existing people. Returns no information about existing people, so the page shows everyone the same.
 * @throws AppError validation_error on `fields.KEY`
 */
export async function signUp(
  ctx: SignUpCtx,
  { newsletterId, email, name, fields, agreement }: SignUp,
): Promise<void> {
  const attributes = await resolveOwnAttributes(ctx, newsletterId, { fields });
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
    // The person isn't on the newsletter and can't be added: the address is suppressed.
    if (!known) return;
    const [person] = await lockSubscribers(tx, newsletterId, [known.id]);
    if (person && (await askKnown(ctx, tx, person)))
      await insertActivities(tx, { ...activity, ids: [person.id], kind: "signed_up" });
  });
}
