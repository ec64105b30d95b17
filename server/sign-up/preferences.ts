import { withTransaction } from "../accounts/context";
import { getNewsletter } from "../accounts/newsletters";
import { parseEmail } from "../kernel/email";
import { AppError } from "../kernel/errors";
import { joinName } from "../kernel/name";
import { recipientHash } from "../mail/recipient-hash";
import type { ConfirmationClaims, UnsubscribeClaims } from "../mail/signed-links";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { eraseSubscriber } from "../subscribers/erase-subscriber";
import type { FieldValue } from "../subscribers/field-values";
import { includeStored } from "../subscribers/include-members";
import type { Address, PersonName } from "../subscribers/schema/subscriber";
import {
  findTaken,
  type LockedSubscriber,
  listOwnNewsletters,
  lockSubscribers,
  type OwnNewsletterRow,
  readSubscribers,
} from "../subscribers/shared-queries";
import { moveFrom } from "../subscribers/status-moves";
import { presentSubscriber, unsubscribe, updateSubscriber } from "../subscribers/subscribers";
import {
  type LinkActor,
  type Subscription,
  sendResubscribeLink,
  showSubscription,
  unsubscribeFromAll,
} from "../subscribers/unsubscribe-links";
import { hardReasons } from "../suppressions/schema/suppressions";
import { findSuppression } from "../suppressions/shared-queries";
import { findPreferencesMail } from "./queries/preferences";
import { findOpenSignUpPage, type SignUpField } from "./sign-up-page";

export type LinkCtx = Ctx & LinkActor;
type OfLink = { claims: ConfirmationClaims };

/** One of a person's newsletters, and their status on it. */
export type OwnNewsletter = Pick<OwnNewsletterRow, "newsletterId" | "name"> & {
  status: Exclude<Subscription["status"], "gone">;
};

/** The data that people see about themselves through a link mailed to their address. */
export type Preferences = {
  newsletter: { id: string; name: string; language: string; accountName: string };
  /** The version of the person. */
  version: number;
  email: string;
  name: string;
  /** The fields of the newsletter's sign-up page; empty when the page is off. `value` null: no value. */
  fields: (SignUpField & { value: FieldValue | null })[];
  /** The link's newsletter comes first. */
  newsletters: OwnNewsletter[];
  /** Whether an email may ask the person to resubscribe to the link's newsletter. */
  mayReturn: boolean;
};

/** A person's changes to their own data. Absent members stay unchanged. */
export type OwnChange = {
  name?: PersonName;
  /** By key; null removes the value. */
  fields?: Record<string, FieldValue | null>;
};

/**
 * Mails the preferences link to the person of an unsubscribe link, whatever their status. A forwarded newsletter
 * contains the unsubscribe link, but its recipient must not see the original subscriber's data. A bounced, complained
 * or denied address gets no link, and the outbox limits the frequency.
 * @throws AppError not_found
 */
export function askForPreferences(ctx: LinkCtx, claims: UnsubscribeClaims): Promise<Subscription> {
  return withTransaction(ctx, async (tx) => {
    const { newsletterId, subscriberId } = claims;
    const [person] = await lockSubscribers(tx, newsletterId, [subscriberId]);
    if (person && !hardReasons.some((reason) => reason === person.suppression)) {
      const { email: toEmail, emailCanonical: canonical } = person;
      await ctx.outbox.postPreferences(tx, { newsletterId, subscriberId, toEmail, canonical });
    }
    return showSubscription({ db: tx }, claims);
  });
}

/** Returns the person of a valid link: mailed, less than a day old, and sent to the person's current address. */
async function personOf(
  tx: Tx,
  claims: ConfirmationClaims,
  read = lockSubscribers,
): Promise<LockedSubscriber | null> {
  const [person] = await read(tx, claims.newsletterId, [claims.subscriberId]);
  const mail = person ? await findPreferencesMail(tx, claims, "preferences") : null;
  if (!person || !mail || mail.expired) return null;
  const mailedTo = parseEmail(mail.toEmail);
  return mailedTo.ok && mailedTo.canonical === person.emailCanonical ? person : null;
}

/**
 * Runs `work` for the person of a link. Null when the link is invalid or no longer works.
 * @param read locks the person's row, unless the caller changes nothing
 */
export function forPerson<T>(
  ctx: Pick<Ctx, "db">,
  claims: ConfirmationClaims,
  work: (tx: Tx, person: LockedSubscriber) => Promise<T>,
  read = lockSubscribers,
): Promise<T | null> {
  return withTransaction(ctx, async (tx) => {
    const person = await personOf(tx, claims, read);
    return person && work(tx, person);
  });
}

async function present(ctx: Pick<Ctx, "db">, tx: Tx, person: LockedSubscriber): Promise<Preferences> {
  const { newsletterId, id, version, email, firstName, lastName } = person;
  const page = await findOpenSignUpPage({ db: tx }, { newsletterId });
  const records = [presentSubscriber(person, person.createdAt)];
  const [described] = await includeStored(
    { ...ctx, tx },
    { newsletterId, records, include: { fields: true } },
  );
  const { newsletter, mayReturn } = await showSubscription({ db: tx }, { newsletterId, subscriberId: id });
  const own = await listOwnNewsletters(tx, newsletterId, id);
  return {
    newsletter: { id: newsletterId, ...newsletter },
    version,
    email,
    name: joinName(firstName, lastName),
    fields: (page?.fields ?? []).map((field) => ({
      ...field,
      value: described?.fields?.[field.key] ?? null,
    })),
    newsletters: own.map(({ id: _, unsubscribedAt, ...one }) => ({
      ...one,
      status: moveFrom({ ...one, unsubscribedAt }),
    })),
    mayReturn,
  };
}

/**
 * Returns the data behind a preferences link. Changes nothing, since mail scanners open links. Null when the link is
 * invalid or no longer works.
 */
export const showPreferences = (ctx: Pick<Ctx, "db">, claims: ConfirmationClaims) =>
  forPerson(ctx, claims, (tx, person) => present(ctx, tx, person), readSubscribers);

/** Runs a change and returns the new state. */
function change(
  ctx: LinkCtx,
  claims: ConfirmationClaims,
  work: (inside: LinkCtx, tx: Tx) => Promise<unknown>,
): Promise<Preferences | null> {
  return forPerson(ctx, claims, async (tx) => {
    await work({ ...ctx, tx }, tx);
    const person = await personOf(tx, claims);
    return person && present(ctx, tx, person);
  });
}

/** @throws AppError validation_error when the person was changed since `version` */
export function savePreferences(
  ctx: LinkCtx,
  { claims, patch, version }: OfLink & { patch: OwnChange; version: number },
): Promise<Preferences | null> {
  const { newsletterId, subscriberId: id } = claims;
  return change(ctx, claims, async (inside) => {
    if (patch.name || patch.fields) await updateSubscriber(inside, { newsletterId, id, patch, version });
  });
}

/**
 * Mails a link to a person's new address. Confirming the link makes it their address. An address on the newsletter or
 * with a suppression gets no email, and the answer doesn't reveal this.
 */
export function askNewAddress(
  ctx: LinkCtx,
  { claims, address: { email, canonical } }: OfLink & { address: Address },
): Promise<Preferences | null> {
  const { newsletterId, subscriberId } = claims;
  return change(ctx, claims, async (_, tx) => {
    if ((await findTaken(tx, newsletterId, [canonical])).size > 0) return;
    if (await findSuppression(tx, newsletterId, canonical)) return;
    const [person] = await lockSubscribers(tx, newsletterId, [subscriberId]);
    if (!person) return;
    // The domain in ASCII, as emails are sent.
    const toEmail = email.replace(/@.*$/, canonical.slice(canonical.lastIndexOf("@")));
    const mail = { newsletterId, subscriberId, toEmail, canonical, oldCanonical: person.emailCanonical };
    await ctx.outbox.postNewAddress(tx, mail);
  });
}

/** The data behind a link that confirms a new address. */
export type NewAddress = {
  newsletter: { name: string; language: string };
  email: string;
  /** The address is the person's address already. */
  used: boolean;
};

async function newAddressOf(
  tx: Tx,
  claims: ConfirmationClaims,
  read: typeof lockSubscribers,
): Promise<(NewAddress & { canonical: string }) | null> {
  const [person] = await read(tx, claims.newsletterId, [claims.subscriberId]);
  const mail = person ? await findPreferencesMail(tx, claims, "new_address") : null;
  const address = mail && parseEmail(mail.toEmail);
  if (!person || !mail || mail.expired || !address?.ok) return null;
  const { email, canonical } = address;
  const used = person.emailCanonical === canonical;
  // The person's address changed after the request.
  if (!used && recipientHash(person.emailCanonical) !== mail.recipientHash) return null;
  const { name, language } = await getNewsletter(tx, claims.newsletterId);
  return { newsletter: { name, language }, email, used, canonical };
}

/** Returns the data behind such a link. Changes nothing. Null when the link is invalid or no longer works. */
export const showNewAddress = (
  ctx: Pick<Ctx, "db">,
  claims: ConfirmationClaims,
): Promise<NewAddress | null> => withTransaction(ctx, (tx) => newAddressOf(tx, claims, readSubscribers));

/**
 * Makes the link's address the person's address. Null when the link no longer works, or when the address is taken or
 * suppressed.
 */
export async function confirmNewAddress(
  ctx: LinkCtx,
  claims: ConfirmationClaims,
): Promise<NewAddress | null> {
  const { newsletterId, subscriberId: id } = claims;
  try {
    return await withTransaction(ctx, async (tx) => {
      const found = await newAddressOf(tx, claims, lockSubscribers);
      if (!found || found.used) return found;
      const { email, canonical } = found;
      await updateSubscriber({ ...ctx, tx }, { newsletterId, id, patch: { email: { email, canonical } } });
      return { ...found, used: true };
    });
  } catch (error) {
    const isTaken =
      error instanceof AppError && ["email_already_subscribed", "email_suppressed"].includes(error.code);
    if (isTaken) return null;
    throw error;
  }
}

/** Unsubscribes the person from one of their newsletters. Ignores any other newsletter. */
export function leaveNewsletter(
  ctx: LinkCtx,
  { claims, newsletterId }: OfLink & { newsletterId: string },
): Promise<Preferences | null> {
  return change(ctx, claims, async (inside, tx) => {
    const own = await listOwnNewsletters(tx, claims.newsletterId, claims.subscriberId);
    const one = own.find((row) => row.newsletterId === newsletterId);
    if (one) await unsubscribe(inside, { newsletterId, id: one.id });
  });
}

/** @see `unsubscribeFromAll` */
export const unsubscribeEverywhere = (ctx: LinkCtx, claims: ConfirmationClaims) =>
  change(ctx, claims, (inside) => unsubscribeFromAll(inside, claims));

/** @see `sendResubscribeLink` */
export const comeBack = (ctx: LinkCtx, claims: ConfirmationClaims) =>
  change(ctx, claims, (inside) => sendResubscribeLink(inside, claims));

/**
 * Erases the person from this newsletter for good, as the API does. A digest of their address stays, so that the
 * address can't be added again.
 * @returns the newsletter's name and language; null when the link is invalid or no longer works
 */
export function eraseByPerson(ctx: LinkCtx, claims: ConfirmationClaims) {
  return forPerson(ctx, claims, async (tx, { newsletterId, id }) => {
    const { name, language, accountId } = await getNewsletter(tx, newsletterId);
    await eraseSubscriber({ ...ctx, tx }, { newsletterId, accountId, id, include: undefined });
    return { name, language };
  });
}
