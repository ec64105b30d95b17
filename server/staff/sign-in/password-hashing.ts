import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { concurrencyLimit } from "../../kernel/concurrency-limit";

/**
 * OWASP's current scrypt cost: 128 MB for half a second. The cost has its own file because unit tests replace the
 * figures; no setting weakens it.
 */
export const passwordCost = { ln: 17, r: 8, p: 1 };

const limited = concurrencyLimit({
  // Each hash needs 128 MB and one of Node's four threads. New connections and files need those threads too.
  limit: 2,
  // The last of 20 queued hashes waits for seconds.
  maxQueued: 20,
  busy: "Too many people are signing in. Nothing was changed. Try again shortly.",
});

type Cost = typeof passwordCost;
type Digest = { cost: Cost; salt: Buffer; key: Buffer };

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

function readDigest(text: string): Digest | null {
  const [, ln, r, p, salt = "", key = ""] = PHC.exec(text) ?? [];
  if (!ln) return null;
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  };
}

function derive(password: string, { cost: { ln, r, p }, salt, key }: Digest): Promise<Buffer> {
  const N = 2 ** ln;
  // OpenSSL's memory count: the large array plus a few blocks.
  const maxmem = 128 * r * (N + p + 2);
  return limited(
    () =>
      new Promise((resolve, reject) =>
        scrypt(password.normalize("NFKC"), salt, key.length, { N, r, p, maxmem }, (error, derived) =>
          error ? reject(error) : resolve(derived),
        ),
      ),
  );
}

/**
 * Hashes a password. The digest names its cost. Hashing is slow on purpose: call this function outside transactions,
 * and only after all cheaper checks.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, { cost: passwordCost, salt, key: Buffer.alloc(32) });
  const { ln, r, p } = passwordCost;
  const [saltText, keyText] = [salt, key].map((bytes) => bytes.toString("base64").replace(/=+$/, ""));
  return `$scrypt$ln=${ln},r=${r},p=${p}$${saltText}$${keyText}`;
}

/**
 * An unreadable digest matches no password. Checking it takes as long as any other, so response times reveal nothing.
 */
export async function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  const digest = readDigest(given.hash);
  const { cost, salt, key } = digest ?? { cost: passwordCost, salt: Buffer.alloc(16), key: Buffer.alloc(32) };
  const derived = await derive(given.password, { cost, salt, key });
  return digest !== null && timingSafeEqual(derived, key);
}
