import { AppError, malformed } from "../kernel/errors";
import { reportOf } from "../mail/read-resend-report";
import { ResendReport } from "../mail/schema/resend-report";
import { isSignedWebhook } from "../mail/webhook-signature";
import { receiveReport } from "../mail-log/reports";
import { readBytes } from "../platform/http/request-body";
import { type Answer, success } from "./envelope";
import { type Arrival, answering } from "./handler";

/** A webhook event is about 2 kB. */
export const maxWebhookBytes = 1024 * 1024;

async function answer({ app, request }: Arrival): Promise<Answer> {
  if (request.method !== "POST") {
    throw new AppError("method_not_allowed", "Send webhooks with POST.", { headers: { Allow: "POST" } });
  }
  const secrets = await app.webhookSecrets();
  if (!secrets) {
    throw new AppError(
      "not_found",
      "No signing secret is set, so webhooks are not accepted. Set the secret from Resend under Settings, Sending or as RESEND_WEBHOOK_SECRET.",
    );
  }
  const body = await readBytes(request, maxWebhookBytes);
  if (!isSignedWebhook(secrets, request.headers, body)) {
    throw new AppError(
      "unauthorized",
      "The signature is wrong or more than five minutes old. Nothing was changed.",
    );
  }
  const report = reportOf(request.headers.get("svix-id") ?? "", readReport(body));
  if (report) {
    const result = await receiveReport(app, report);
    app.log.debug({ webhookId: report.id, kind: report.kind, result }, "mail: Resend reports");
  }
  return success(200, {});
}

function readReport(body: Uint8Array): ResendReport | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw malformed("The body is not JSON. Nothing was changed.");
  }
  // Resend also signs events that are not about an email, such as domain and contact events.
  const result = ResendReport.safeParse(value);
  return result.success ? result.data : null;
}

/**
 * Answers /api/webhooks/resend as a fetch handler. Never rejects. Resend retries a request without a 2xx answer for
 * about a day.
 */
export const handleResendWebhook = answering(answer, "resend-webhook");
