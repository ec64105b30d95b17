import { fromServer } from "../texts/server-sentences";
import { RejectedError } from "../ui/error-of";
import { callAuth } from "./call-auth";

/** Whether this browser can use passkeys; those before 2025 cannot read the options as JSON. */
export const passkeysWork = () =>
  typeof window !== "undefined" &&
  typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";

/** What the browser says in codes, in words. */
function explain(thrown: unknown): never {
  const name = thrown instanceof DOMException ? thrown.name : "";
  const message =
    name === "InvalidStateError"
      ? "This device already has a passkey for your account."
      : name === "NotAllowedError" || name === "AbortError"
        ? "No passkey was used, and nothing was changed. Try again."
        : name === "SecurityError"
          ? "Passkeys work only at this installation's own address, over https or on localhost."
          : null;
  if (message) throw new RejectedError({ message: fromServer(message), errors: {}, code: null });
  throw thrown;
}

/** Makes a passkey on this device and registers it. @param name what it is listed as */
export async function addPasskey(name: string): Promise<void> {
  const path = "passkey/generate-register-options";
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>(path);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = (await navigator.credentials.create({ publicKey }).catch(explain)) as PublicKeyCredential;
  await callAuth("passkey/verify-registration", { response: made.toJSON(), name });
}

/** Signs in with a passkey; of whoever is signed in, with one of theirs. */
export async function signInWithPasskey(): Promise<void> {
  const path = "passkey/generate-authenticate-options";
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>(path);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const used = (await navigator.credentials.get({ publicKey }).catch(explain)) as PublicKeyCredential;
  await callAuth("passkey/verify-authentication", { response: used.toJSON() });
}
