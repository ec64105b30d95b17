import { passkeyErrors } from "@/server/staff/schema/passkey-errors";
import { fromServer } from "../texts/server-sentences";
import { rejected } from "../ui/error-of";
import { useInBrowser } from "../ui/store";
import { callAuth } from "./call-auth";

/**
 * Whether this browser supports passkeys. Browsers before 2025 can't parse the options from JSON. The first render assumes
 * it: a button that appears later would move what is below it away from the pointer.
 */
export const usePasskeysWork = () =>
  useInBrowser(() => typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function", true);

function explain(thrown: unknown): never {
  const message = thrown instanceof DOMException && passkeyErrors[thrown.name];
  throw message ? rejected(fromServer(message)) : thrown;
}

/** Creates a passkey on this device and registers it. @param name the passkey's name in the list */
export async function addPasskey(name: string): Promise<void> {
  const path = "passkey/generate-register-options";
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>(path);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = (await navigator.credentials.create({ publicKey }).catch(explain)) as PublicKeyCredential;
  await callAuth("passkey/verify-registration", { response: made.toJSON(), name });
}

/** Signs in with a passkey. A signed-in staff member must use their own passkey. */
export async function signInWithPasskey(): Promise<void> {
  const path = "passkey/generate-authenticate-options";
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>(path);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const used = (await navigator.credentials.get({ publicKey }).catch(explain)) as PublicKeyCredential;
  await callAuth("passkey/verify-authentication", { response: used.toJSON() });
}
