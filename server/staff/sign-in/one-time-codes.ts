import { createHmac } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import type { Db } from "../../platform/db/client";
import { acceptStep, findTwoFactorSecret } from "../queries/two-factors";

const STEP_MS = 30_000;
const DIGITS = 6;

/** Returns the code of a time step (RFC 4226). */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) as number) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** Returns the time step of a code, among the steps that the library accepts; undefined for a wrong code. */
function stepOf(secret: string, code: string): number | undefined {
  const now = Math.floor(Date.now() / STEP_MS);
  return [now + 1, now, now - 1].find((step) => codeOf(secret, step) === code);
}

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Returns the owner of the session, or the person who has just given the right password. */
async function findStaffId(ctx: HookContext): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx);
  if (session) return session.user.id;
  const { name } = ctx.context.createAuthCookie("two_factor");
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  return challenge ? (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value : undefined;
}

/**
 * Lets each authenticator app code work once. The library alone accepts a code for 90 seconds. This check runs before
 * the library, so only one of several requests with the same code reaches the library. The library counts wrong codes.
 */
export const oneTimeCodes = (db: Db) =>
  ({
    id: "one-time-codes",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/two-factor/verify-totp",
          handler: createAuthMiddleware(async (ctx) => {
            const staffId = await findStaffId(ctx);
            const sealed = staffId && (await findTwoFactorSecret(db, staffId));
            if (!staffId || !sealed) return;
            const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: sealed });
            const step = stepOf(secret, String(ctx.body?.code));
            if (step === undefined || (await acceptStep(db, staffId, step))) return;
            throw new APIError("UNAUTHORIZED", {
              code: "INVALID_CODE",
              message: "The code was used before.",
            });
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin;
