import type { AuditAction } from "../../accounts/schema/audit-actions";

export type AuthRoute = {
  method: "GET" | "POST";
  /** The library's name of the route, where our name differs. */
  library?: string;
  /** The route starts a session. The handler hides an existing session, which the library would take for the answer. */
  signsIn?: true;
  /** The route needs the organisation's sign-in server. */
  byOidc?: true;
  /** The route requires a recent sign-in. */
  recent?: true;
  /** The audit log's action for the signed-in staff member. */
  action?: AuditAction;
  /** The members of the library's answer that the page needs. The library's sessions and tokens stay on the server. */
  returns?: readonly string[] | "all";
  /** The answer to a wrong guess: its status and message. */
  wrong?: readonly [status: 401 | 422, message: string];
};

const POST = { method: "POST" } as const;

const notYourPassword = [422, "The current password is wrong. Nothing was changed."] as const;
const notTheCode = [
  422,
  "This code is wrong, expired or already used. Enter the current code from your app.",
] as const;
const notThePasskey = [
  401,
  "This passkey is not registered here. Choose another one or use your password.",
] as const;

/** The open routes of the sign-in library. All others answer 404. */
export const authRoutes: Record<string, AuthRoute> = {
  "sign-in/email": {
    ...POST,
    signsIn: true,
    returns: ["twoFactorRedirect"],
    // One answer for an unknown address, a wrong password and a malformed password.
    wrong: [401, "Wrong email or password. Check both and try again."],
  },
  // OpenID Connect: the first route starts the sign-in, the second takes the organisation's answer.
  "sign-in/social": { ...POST, byOidc: true, returns: ["url"] },
  "callback/oidc": { method: "GET", byOidc: true, signsIn: true },
  "sign-out": { ...POST, action: "staff.signed_out" },
  "change-password": {
    ...POST,
    action: "staff.password_changed",
    wrong: [422, "The current password is wrong. Your password was not changed."],
  },

  "two-factor/enable": { ...POST, returns: ["totpURI", "backupCodes"], wrong: notYourPassword },
  "two-factor/confirm": {
    ...POST,
    library: "two-factor/verify-totp",
    action: "staff.app_added",
    wrong: notTheCode,
  },
  "two-factor/disable": { ...POST, action: "staff.app_removed", wrong: notYourPassword },
  "two-factor/generate-backup-codes": {
    ...POST,
    action: "staff.recovery_codes_made",
    returns: ["backupCodes"],
    wrong: notYourPassword,
  },
  "two-factor/verify-totp": { ...POST, signsIn: true, wrong: notTheCode },
  "two-factor/verify-backup-code": {
    ...POST,
    signsIn: true,
    wrong: [422, "This recovery code is wrong or was already used."],
  },

  "passkey/generate-register-options": { method: "GET", recent: true, returns: "all" },
  "passkey/verify-registration": { ...POST, recent: true, action: "staff.passkey_added" },
  "passkey/delete-passkey": { ...POST, recent: true, action: "staff.passkey_removed" },
  "passkey/generate-authenticate-options": { method: "GET", returns: "all" },
  "passkey/verify-authentication": { ...POST, signsIn: true, wrong: notThePasskey },
};

/** The library's codes for a wrong guess. */
export const wrongGuesses = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_EMAIL",
  "INVALID_PASSWORD",
  "CREDENTIAL_ACCOUNT_NOT_FOUND",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
  "PASSKEY_NOT_FOUND",
  "AUTHENTICATION_FAILED",
]);

/** Our messages for the library's other error codes. */
export const authMessages: Record<string, string> = {
  PASSWORD_TOO_SHORT: "The new password must have at least 10 characters.",
  PASSWORD_TOO_LONG: "The new password may have at most 128 characters.",
  UNAUTHORIZED: "Your session has ended. Sign in again. Nothing was changed.",
  INVALID_TWO_FACTOR_COOKIE: "This sign-in took too long. Start again with your password.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Five codes were wrong. Start again with your password.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Wait 15 minutes, then sign in again.",
  TOTP_ALREADY_ENABLED: "An authenticator app is already set up. Remove it first.",
  CHALLENGE_NOT_FOUND: "This took too long. Try again.",
  FAILED_TO_VERIFY_REGISTRATION: "The passkey could not be verified. Nothing was saved. Try again.",
  PREVIOUSLY_REGISTERED: "This passkey is already registered.",
};
