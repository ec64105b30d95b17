import { unreachable } from "@/server/staff/schema/passkey-errors";
import { fromServer } from "../texts/server-sentences";
import { rejected } from "../ui/error-of";
import { notifyError } from "../ui/notify";
import { requireRecentSignIn } from "./who-it-is";

type AuthAnswer = { twoFactorRedirect?: boolean; totpURI?: string; backupCodes?: string[] };

/**
 * Calls a sign-in endpoint: POST with a `body`, GET without. If the server requires a recent sign-in, the staff member
 * signs in again first.
 * @throws RejectedError with the server's response
 */
export async function callAuth<Answer = AuthAnswer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`/api/auth/${path}`, {
    ...(body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw rejected(fromServer(unreachable));
  });
  const said = (await response.json().catch(() => ({}))) as Answer & { message?: string; code?: string };
  if (response.ok) return said;
  if (said.code === "sign_in_again" && (await requireRecentSignIn())) return callAuth<Answer>(path, body);
  const message =
    said.message ??
    "The server did not answer, so your change may or may not have been saved. Check before you try again.";
  throw rejected(fromServer(message), said.code);
}

/** Ends the session of this browser, and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  try {
    await callAuth("sign-out", {});
    window.location.assign("/sign-in");
  } catch (error) {
    notifyError(error);
  }
}
