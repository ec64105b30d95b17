import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { listTwoFactors, updateTwoFactor } from "../queries/two-factors";
import { type StaffAuthContext, staffAuth } from "./staff-session";

/**
 * Encrypts authenticator app secrets and recovery codes again with the newest secret, so that old secrets can be
 * removed. The library reads ciphertexts with any secret of the list and never rewrites them.
 */
export async function renewCiphertexts(context: StaffAuthContext): Promise<void> {
  if (context.authSecrets.length === 1) return;
  const { secretConfig: key } = await staffAuth(context).$context;
  if (typeof key === "string") throw new TypeError("a list of secrets is expected");
  const isOld = (data: string) => parseEnvelope(data)?.version !== key.currentVersion;
  const renewed = async (data: string) =>
    isOld(data) ? symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) }) : data;
  for (const { id, secret, backupCodes } of await listTwoFactors(context.db)) {
    if (!isOld(secret) && !isOld(backupCodes)) continue;
    try {
      const fresh = { secret: await renewed(secret), backupCodes: await renewed(backupCodes) };
      await updateTwoFactor(context.db, { id, secret, backupCodes }, fresh);
    } catch {
      context.log.warn(
        { id },
        "sign-in: an authenticator app was set up with a secret that AUTH_SECRET no longer lists; remove it in Settings",
      );
    }
  }
}
