import { maxWaitSeconds, waitsPerKey } from "../events/schema/changes";
import {
  maxWebhookEndpoints,
  webhookAnswerSeconds,
  webhookFailureDays,
  webhookKeptDays,
  webhookOverlapHours,
} from "../events/schema/webhooks";
import { maxPlansForStaff, maxRowsForStaff } from "../imports/schema/imports";
import { defaultLimits, maxBodyBytes, maxHeaderBytes, maxHeaders } from "../kernel/default-limits";
import { changesKeptDays, resubscribeRequestDays } from "../kernel/durations";
import { malformedStatus, type RestCode, restStatuses } from "../kernel/error-codes";
import { readProjectFile } from "../kernel/project-root";
import { leastOwnDomainMailsPerDay } from "../mail/schema/mail-budgets";
import { type Lockout, parseLockout, parsePolicy } from "../platform/limits/policies";
import { sampleBlocks } from "./code-samples";
import { webhookSampleBlocks } from "./webhook-examples";

/** Each code's meaning for the reader, and the next step. */
const meanings: Record<RestCode, string> = {
  validation_error:
    "The JSON is invalid. `errors` has messages by field. Bulk requests also have `items` by position.",
  email_already_subscribed:
    "The address is already on the list. `subscriber` has the id and status. Leave out unsubscribed addresses.",
  email_suppressed:
    "The address unsubscribed, complained, denied signing up, bounced or was suppressed. Leave it out.",
  unauthorized: "The key is missing, mistyped, unknown, revoked or expired.",
  api_access_disabled:
    "API access is off for the account, the newsletter is archived, or the key can't be used for this newsletter or from your address.",
  api_module_access_disabled: "The key lacks the required permission.",
  not_found: "The newsletter has nothing with this id, or the path does not exist.",
  method_not_allowed: "The path does not support this method. `Allow` lists the methods.",
  idempotency_conflict:
    "The first request with this Idempotency-Key is still running. Repeat after `Retry-After` with the same key to get its response.",
  payload_too_large: `The body is over ${maxBodyBytes / 1024} KiB.`,
  unsupported_media_type:
    "The body is compressed, or it is not JSON. Send JSON with `Content-Type: application/json`.",
  idempotency_key_reused: "This Idempotency-Key was used for a different request. Use a new one.",
  rate_limit_exceeded: "Wait `errors.retry_after` seconds. `Retry-After` has the same value.",
  internal_error: "An unexpected error. Report the `X-Request-Id` to the operator.",
  service_unavailable:
    "The database is unavailable or busy. The message says whether anything may have changed. Repeat after `Retry-After` with the same Idempotency-Key.",
};

/** The codes with another status than their usual one. */
const unread: { code: RestCode; status: number; meaning: string }[] = [
  {
    code: "validation_error",
    status: malformedStatus,
    meaning:
      "The body is not JSON (the message says where), or a query parameter is unknown, repeated or invalid.",
  },
  {
    code: "validation_error",
    status: 408,
    meaning:
      "The headers took longer than 15 seconds, or the request longer than two minutes. Nothing was changed. Repeat with the same Idempotency-Key.",
  },
  {
    code: "payload_too_large",
    status: 431,
    meaning: `The request line and headers are over ${maxHeaderBytes / 1024} KiB together, or there are more than ${maxHeaders} headers.`,
  },
];

export function meaningOf(code: RestCode, status: number): string {
  return unread.find((one) => one.code === code && one.status === status)?.meaning ?? meanings[code];
}

function errorTable(): string {
  const usual = Object.entries(restStatuses).map(([code, status]) => ({
    code,
    status,
    meaning: meanings[code as RestCode],
  }));
  const rows = [...unread, ...usual].sort((a, b) => a.status - b.status);
  const lines = rows.map(({ code, status, meaning }) => `| \`${code}\` | ${status} | ${meaning} |`);
  return ["| code | status | when |", "|---|---|---|", ...lines].join("\n");
}

const policyText = (text: string) =>
  parsePolicy(text)
    .map(({ quota, name }) => `${quota.toLocaleString("en")} per ${name}`)
    .join(", ");

const { limit, windowSeconds, lockSeconds } = parseLockout(defaultLimits.authLockout) as Lockout;

const prose = readProjectFile("server/docs/manual.md");

/**
 * Returns the manual's chapters as Markdown, for the start of /docs and for /llms.txt.
 * @param url this instance's URL, without a trailing slash
 */
export function chapters(url: string): string {
  const values: Record<string, string | number> = {
    url,
    firstCall: sampleBlocks({
      method: "POST",
      url: `${url}/api/v1/subscribers`,
      body: { email: "ada@lovelace.org", name: "Ada Lovelace", status: "pending" },
    }),
    errors: errorTable(),
    read: policyText(defaultLimits.read),
    write: policyText(defaultLimits.write),
    bulk: policyText(defaultLimits.bulk),
    stream: policyText(defaultLimits.stream),
    me: policyText(defaultLimits.me),
    authLockout: `${limit} failed keys in ${windowSeconds / 60} minutes (for ${lockSeconds / 60} min)`,
    bodyKib: maxBodyBytes / 1024,
    maxWait: maxWaitSeconds,
    plans: maxPlansForStaff,
    planRows: maxRowsForStaff.toLocaleString("en"),
    answerSeconds: webhookAnswerSeconds,
    webhookDays: webhookFailureDays,
    overlapHours: webhookOverlapHours,
    webhookKeptDays,
    maxWebhooks: maxWebhookEndpoints,
    webhookSamples: webhookSampleBlocks(),
    waits: waitsPerKey,
    changeDays: changesKeptDays,
    resubscribeDays: resubscribeRequestDays,
    ownDomainMails: leastOwnDomainMailsPerDay.toLocaleString("en"),
  };
  return prose.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}

const guideProse = readProjectFile("server/docs/guides.md");
const receivers = { js: "mjs", python: "py", php: "php", ruby: "rb", go: "go" };

/** Returns the guides of /docs/guides as Markdown. @param url as in `chapters` */
export function guides(url: string): string {
  const blocks = Object.entries(receivers).map(([language, ending]) => {
    const code = readProjectFile(`server/docs/receivers/receiver.${ending}`);
    return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;
  });
  return guideProse.replaceAll("{{url}}", url).replace("{{receivers}}", () => blocks.join("\n\n"));
}
