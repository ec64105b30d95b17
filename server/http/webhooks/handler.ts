// server/http/webhooks: the adapter for what the mail provider reports. Imports services, auth, contract, errors and app; no Prisma, no Next.

import { type AppContext, app } from "../../app";
import { isTimely, verifyWebhook } from "../../auth/webhook-signature";
import { ResendReport } from "../../contract/resend-report";
import { newId } from "../../domain/ids";
import { AppError, toAppError } from "../../errors";
import { databaseSeconds, takeReport } from "../../services/mail-reports";
import { readBytes } from "../rest/body";
import { type Answer, failure, success } from "../rest/envelope";
import { reportOf } from "./resend";

/** A report is some 2 kB. */
export const maxWebhookBytes = 1024 * 1024;

async function answer(app: AppContext, request: Request): Promise<Answer> {
  if (request.method !== "POST") {
    throw new AppError("method_not_allowed", "Webhooks are posted.", { headers: { Allow: "POST" } });
  }
  const { RESEND_WEBHOOK_SECRET: secret } = app.config;
  if (!secret) {
    throw new AppError(
      "not_found",
      "Webhooks are not read here: RESEND_WEBHOOK_SECRET is not set. Set it to the signing secret that Resend shows for this webhook.",
    );
  }
  const body = await readBytes(request, maxWebhookBytes);
  const header = (name: string) => request.headers.get(`svix-${name}`);
  const signed = verifyWebhook(secret, {
    id: header("id"),
    timestamp: header("timestamp"),
    signature: header("signature"),
    body,
  });
  if (!signed) throw notSigned("The signature is not right. Nothing was changed.");
  if (!isTimely(signed.sentAtSeconds, await databaseSeconds(app.db))) {
    throw notSigned("The signature is more than five minutes from our time. Nothing was changed.");
  }
  const report = reportOf(signed.id, readReport(body));
  if (report) {
    const result = await takeReport(app, report);
    app.log.debug({ webhookId: report.id, kind: report.kind, result }, "mail: Resend reports");
  }
  return success(200, {});
}

// Without WWW-Authenticate: nobody is asked for a key here.
const notSigned = (message: string) => new AppError("unauthorized", message);

function readReport(body: Uint8Array): ResendReport | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw new AppError("malformed_request", "The body is not JSON. Nothing was changed.");
  }
  // What is signed and not about a mail is something that Resend also sends: a domain, a contact.
  const result = ResendReport.safeParse(value);
  return result.success ? result.data : null;
}

/** /api/webhooks/resend as a fetch handler; never rejects. Anything but 2xx is sent again by Resend, for about a day. */
export async function handleResendWebhook(request: Request): Promise<Response> {
  const requestId = newId();
  let result: Answer;
  let opened: AppContext | undefined;
  try {
    opened = await app();
    result = await answer(opened, request);
  } catch (thrown) {
    const error = toAppError(thrown);
    result = failure(error);
    if (error.status >= 500) {
      opened?.log.error({ requestId, err: error.cause ?? error }, `webhook: ${error.fault}`);
    }
  }
  const headers = new Headers({
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    ...result.headers,
  });
  headers.delete("WWW-Authenticate");
  return new Response(request.method === "HEAD" ? null : result.body, { status: result.status, headers });
}
