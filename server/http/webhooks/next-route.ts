import { handleResendWebhook } from "./handler";

/** The webhooks' adapter as a Next route handler, for every verb. */
export function webhookRoute(request: Request): Promise<Response> {
  return handleResendWebhook(request);
}
