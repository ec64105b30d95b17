import { Webhook } from "standardwebhooks";

/** Whether a text has the format of a webhook's signing secret at Resend: `whsec_` and base64 of at least 15 bytes. */
export function isWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{20,}={0,2}$/.test(text);
}

/**
 * Whether one of the secrets signed a webhook within the last five minutes, by this machine's clock
 * (https://www.standardwebhooks.com; Resend names the headers as Svix does).
 */
export function isSignedWebhook(secrets: readonly string[], headers: Headers, body: Uint8Array): boolean {
  const signed = Object.fromEntries(
    ["id", "timestamp", "signature"].map((name) => [`webhook-${name}`, headers.get(`svix-${name}`) ?? ""]),
  );
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(Buffer.from(body), signed, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });
}
