import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** What a confirmation link says: which person, asked by which mail, and until when it may be followed. */
export type ConfirmationClaims = {
  newsletterId: string;
  subscriberId: string;
  mailId: string;
  expiresAt: Date;
};

export type ConfirmationReading =
  | { ok: true; claims: ConfirmationClaims }
  /** malformed: not the shape of our tokens, such as half a link. forged: the shape, but not sealed by us. */
  | { ok: false; reason: "malformed" | "forged" };

/** Stands for a token in a test mail; too short to be one. */
export const EXAMPLE_TOKEN = "example";

export type Links = {
  /** The link of one mail. The same claims make the same link, so that a retry sends the same bytes. */
  confirmationUrl(claims: ConfirmationClaims): string;
  /** The link of an invitation; its token can be made again out of the id by us alone. */
  invitationUrl(invitationId: string): string;
  /** Where the link of a test mail leads: a page that says so. */
  exampleUrl: string;
  /** Says whether the token is ours, not whether it has expired: that is for the database's clock to validate. */
  readConfirmation(token: string): ConfirmationReading;
};

const VERSION = 1;
const PURPOSE = "confirmation";
const INVITATION_BYTES = 24;
const SHAPE = /^[A-Za-z0-9_-]{92}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// version 1 | newsletter 16 | subscriber 16 | mail 16 | expiry in Unix seconds 4 | seal 16: 69 bytes are exactly
// 92 characters of base64url, so that there are no spare bits and a token can be written in one way only.
const SEALED_BYTES = 53;
const EXPIRY_AT = 49;
const SEAL_BYTES = 16;
const MAX_SECONDS = 2 ** 32 - 1;

function uuidBytes(id: string): Buffer {
  if (!UUID.test(id)) throw new TypeError(`not a UUID: ${id}`);
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function readUuid(bytes: Buffer, at: number): string {
  const hex = bytes.toString("hex", at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Makes and reads the links that mails carry.
 * @param secret AUTH_SECRET; when it changes, every link already sent is void
 * @param appUrl where this instance is reached, without a trailing slash
 */
export function openLinks({ secret, appUrl }: { secret: string; appUrl: string }): Links {
  // A key of its own, so that nothing sealed with AUTH_SECRET elsewhere can ever pass for a link.
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync("sha256", secret, "", `rollcall signed link ${purpose}`, 32));
  const key = keyFor(PURPOSE);
  const invitationKey = keyFor("invitation");
  // The purpose is sealed too: a link for another purpose is forged here, even if the two ever shared a key.
  const sealOf = (sealed: Buffer) =>
    createHmac("sha256", key).update(`${PURPOSE}\0`).update(sealed).digest().subarray(0, SEAL_BYTES);

  return {
    invitationUrl(invitationId) {
      const seal = createHmac("sha256", invitationKey).update(uuidBytes(invitationId)).digest();
      return `${appUrl}/join/${seal.subarray(0, INVITATION_BYTES).toString("base64url")}`;
    },

    exampleUrl: `${appUrl}/confirm/${EXAMPLE_TOKEN}`,

    confirmationUrl({ newsletterId, subscriberId, mailId, expiresAt }) {
      // Rounded down: a link never outlives what the row says.
      const seconds = Math.floor(expiresAt.getTime() / 1000);
      if (!(seconds >= 0 && seconds <= MAX_SECONDS))
        throw new RangeError("a link's expiry must lie between 1970 and 2106");
      const sealed = Buffer.alloc(SEALED_BYTES);
      sealed.writeUInt8(VERSION, 0);
      uuidBytes(newsletterId).copy(sealed, 1);
      uuidBytes(subscriberId).copy(sealed, 17);
      uuidBytes(mailId).copy(sealed, 33);
      sealed.writeUInt32BE(seconds, EXPIRY_AT);
      return `${appUrl}/confirm/${Buffer.concat([sealed, sealOf(sealed)]).toString("base64url")}`;
    },

    readConfirmation(token) {
      if (!SHAPE.test(token)) return { ok: false, reason: "malformed" };
      const bytes = Buffer.from(token, "base64url");
      if (bytes[0] !== VERSION) return { ok: false, reason: "malformed" };
      const sealed = bytes.subarray(0, SEALED_BYTES);
      if (!timingSafeEqual(bytes.subarray(SEALED_BYTES), sealOf(sealed)))
        return { ok: false, reason: "forged" };
      return {
        ok: true,
        claims: {
          newsletterId: readUuid(bytes, 1),
          subscriberId: readUuid(bytes, 17),
          mailId: readUuid(bytes, 33),
          expiresAt: new Date(bytes.readUInt32BE(EXPIRY_AT) * 1000),
        },
      };
    },
  };
}
