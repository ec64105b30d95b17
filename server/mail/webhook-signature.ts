import { Webhook } from "standardwebhooks";

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
