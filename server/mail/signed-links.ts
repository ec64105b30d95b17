import { createHmac, timingSafeEqual } from "node:crypto";
import { isId } from "../kernel/ids";
import { keysFor, linkDigest, type Secrets } from "../kernel/secrets";

/** The claims of a confirmation or preferences link: the subscriber, its mail, and the expiry. */
export type ConfirmationClaims = {
  newsletterId: string;
  subscriberId: string;
  mailId: string;
  expiresAt: Date;
};

/** The subscriber of an unsubscribe link. The link never expires, since people keep mails for years. */
export type UnsubscribeClaims = Pick<ConfirmationClaims, "newsletterId" | "subscriberId">;

/** Replaces the token in a test mail; too short to be a token. */
export const EXAMPLE_TOKEN = "example";

/** Replaces a token that staff must not see. */
const HIDDEN_TOKEN = "hidden";

/** Removes the tokens from a mail. Staff can read mails, and only the reader may use a link. */
export const withoutTokens = (text: string): string =>
  text.replace(
    /(\/(?:confirm|preferences)\/)[A-Za-z0-9_-]{92}|(\/unsubscribe\/)[A-Za-z0-9_-]{68}/g,
    `$1$2${HIDDEN_TOKEN}`,
  );

export type InvitationLink = { url: string; digest: string };

export type SignedLinks = ReturnType<typeof openLinks>;

const VERSION = 1;
const INVITATION_BYTES = 24;
const MAX_SECONDS = 2 ** 32 - 1;

/** The size of a token in bytes: the signed part, which begins with the version, and the signature. */
type TokenSize = { signed: number; signature: number };

// version 1 | newsletter 16 | subscriber 16 | mail 16 | expiry in Unix seconds 4, and the signature: 69 bytes are exactly
// 92 characters of base64url: no spare bits, so a token can be written in one way only.
const CONFIRMATION: TokenSize = { signed: 53, signature: 16 };
const EXPIRY_AT = 49;
// version 1 | newsletter 16 | subscriber 16, and the signature: 51 bytes, for the same reason.
const UNSUBSCRIBE: TokenSize = { signed: 33, signature: 18 };
// version 1 | newsletter 16 | Unix milliseconds 6, and the signature: 39 bytes, for the same reason.
const SIGN_UP_TIME: TokenSize = { signed: 23, signature: 16 };
const TIME_AT = 17;

function uuidBytes(id: string): Buffer {
  if (!isId(id)) throw new TypeError(`not a UUID: ${id}`);
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function readUuid(bytes: Buffer, at: number): string {
  return bytes.toString("hex", at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Signs and reads the tokens of one purpose. The purpose is signed too: a token for another purpose is rejected, even
 * if the two purposes ever shared a key.
 */
function openTokens(secrets: Secrets, purpose: string, size: TokenSize) {
  const keys = keysFor(secrets, `signed link ${purpose}`);
  const shape = new RegExp(`^[A-Za-z0-9_-]{${((size.signed + size.signature) / 3) * 4}}$`);
  const signatureOf = (signed: Buffer, key = keys[0]) =>
    createHmac("sha256", key).update(`${purpose}\0`).update(signed).digest().subarray(0, size.signature);

  return {
    /** @param rest the signed bytes after the version */
    write(...rest: Buffer[]): string {
      const signed = Buffer.concat([Buffer.of(VERSION), ...rest]);
      return Buffer.concat([signed, signatureOf(signed)]).toString("base64url");
    },

    /** The bytes of a token; null for an incomplete or forged one. */
    read(token: string): Buffer | null {
      const bytes = shape.test(token) ? Buffer.from(token, "base64url") : null;
      if (bytes?.[0] !== VERSION) return null;
      const signed = bytes.subarray(0, size.signed);
      const given = bytes.subarray(size.signed);
      return keys.some((key) => timingSafeEqual(given, signatureOf(signed, key))) ? bytes : null;
    },
  };
}

const personIn = (bytes: Buffer): UnsubscribeClaims => ({
  newsletterId: readUuid(bytes, 1),
  subscriberId: readUuid(bytes, 17),
});

/** The signed bytes of a mail's link, after the version. */
function mailParts({ newsletterId, subscriberId, mailId, expiresAt }: ConfirmationClaims): Buffer[] {
  // Rounded down: a link never outlives the expiry in its row.
  const seconds = Math.floor(expiresAt.getTime() / 1000);
  if (!(seconds >= 0 && seconds <= MAX_SECONDS))
    throw new RangeError("a link's expiry must lie between 1970 and 2106");
  const expiry = Buffer.alloc(4);
  expiry.writeUInt32BE(seconds);
  return [...[newsletterId, subscriberId, mailId].map(uuidBytes), expiry];
}

const mailClaims = (bytes: Buffer): ConfirmationClaims => ({
  ...personIn(bytes),
  mailId: readUuid(bytes, 33),
  expiresAt: new Date(bytes.readUInt32BE(EXPIRY_AT) * 1000),
});

function openInvitationLinks({ secrets, appUrl }: { secrets: Secrets; appUrl: string }) {
  const keys = keysFor(secrets, "signed link invitation");
  const tokenOf = (id: string, key: Buffer) => {
    const signature = createHmac("sha256", key).update(uuidBytes(id)).digest();
    return signature.subarray(0, INVITATION_BYTES).toString("base64url");
  };
  return {
    /**
     * A link for a new invitation, and the digest of its token. Only the digest is stored, since the id makes the same
     * link again.
     */
    invitationLink(invitationId: string): InvitationLink {
      const token = tokenOf(invitationId, keys[0]);
      return { url: `${appUrl}/join/${token}`, digest: linkDigest(token) };
    },

    /** The original link of an invitation; null when the secret that signed it was removed. */
    findInvitationUrl(invitationId: string, digest: string): string | null {
      const tokens = keys.map((key) => tokenOf(invitationId, key));
      const token = tokens.find((one) => linkDigest(one) === digest);
      return token === undefined ? null : `${appUrl}/join/${token}`;
    },
  };
}

function openSignUpTimes(secrets: Secrets) {
  const signUpTimes = openTokens(secrets, "sign-up time", SIGN_UP_TIME);
  return {
    /** The signed creation time that a sign-up form carries. @param at Unix milliseconds */
    signUpTime(newsletterId: string, at: number): string {
      const time = Buffer.alloc(6);
      time.writeUIntBE(at, 0, 6);
      return signUpTimes.write(uuidBytes(newsletterId), time);
    },

    /** The creation time of this newsletter's sign-up form, in Unix milliseconds; null for an invalid token. */
    readSignUpTime(newsletterId: string, token: string): number | null {
      const bytes = signUpTimes.read(token);
      return bytes && readUuid(bytes, 1) === newsletterId ? bytes.readUIntBE(TIME_AT, 6) : null;
    },
  };
}

/**
 * Makes and reads the links in mails.
 * @param secrets removing the secret that signed a link invalidates the link
 * @param appUrl without a trailing slash
 */
export function openLinks({ secrets, appUrl }: { secrets: Secrets; appUrl: string }) {
  const ofMail = (page: string, purpose: string) => {
    const tokens = openTokens(secrets, purpose, CONFIRMATION);
    return {
      url: (claims: ConfirmationClaims) => `${appUrl}/${page}/${tokens.write(...mailParts(claims))}`,
      read(token: string): ConfirmationClaims | null {
        const bytes = tokens.read(token);
        return bytes && mailClaims(bytes);
      },
    };
  };
  const confirmations = ofMail("confirm", "confirmation");
  const preferences = ofMail("preferences", "preferences");
  const newAddresses = ofMail("preferences", "new address");
  const unsubscribes = openTokens(secrets, "unsubscribe", UNSUBSCRIBE);

  return {
    ...openInvitationLinks({ secrets, appUrl }),
    ...openSignUpTimes(secrets),

    /** The link of a test mail: a page that explains that it is one. */
    exampleUrl: `${appUrl}/confirm/${EXAMPLE_TOKEN}`,

    /** The link of a mail as staff are shown it. */
    hiddenUrl: `${appUrl}/confirm/${HIDDEN_TOKEN}`,

    /** The link of one mail. The same claims make the same link, so that a retry sends the same bytes. */
    confirmationUrl: confirmations.url,

    /** Checks the signature only: whether the link has expired is decided by the database's clock. */
    readConfirmation: confirmations.read,

    /** The link to a person's preferences, of one mail. */
    preferencesUrl: preferences.url,
    readPreferences: preferences.read,

    /** The link that makes the mailed address a person's own. */
    newAddressUrl: newAddresses.url,
    readNewAddress: newAddresses.read,

    /** The link that unsubscribes one person. The same person has the same link as long as the first secret stays. */
    unsubscribeUrl({ newsletterId, subscriberId }: UnsubscribeClaims): string {
      return `${appUrl}/unsubscribe/${unsubscribes.write(uuidBytes(newsletterId), uuidBytes(subscriberId))}`;
    },

    /** Checks the signature only: the person may be erased. */
    readUnsubscribe(token: string): UnsubscribeClaims | null {
      const bytes = unsubscribes.read(token);
      return bytes && personIn(bytes);
    },
  };
}
