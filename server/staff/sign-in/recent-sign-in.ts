import { recentSignInMinutes } from "../../kernel/durations";
import { AppError } from "../../kernel/errors";
import { MINUTE_MS } from "../../kernel/time";

/**
 * Requires a recent sign-in for actions that a stranger at an open laptop must not do: making keys, inviting,
 * exporting, erasing. Signing in again by password or passkey satisfies the check.
 * @throws AppError sign_in_again
 */
export function checkRecentSignIn({ signedInAt }: { signedInAt: Date }): void {
  if (Date.now() - signedInAt.getTime() < recentSignInMinutes * MINUTE_MS) return;
  throw new AppError(
    "sign_in_again",
    "Sign in again to confirm your identity, then try again. Nothing was changed.",
  );
}
