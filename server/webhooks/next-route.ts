import { handleResendWebhook } from "./door";

/** The webhooks' door as a Next route handler, for every verb. */
export function webhookRoute(request: Request): Promise<Response> {
  return handleResendWebhook(request);
}
