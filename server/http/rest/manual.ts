import { faults } from "../../contract/error-codes";

/** What each rejection means for the one who reads it, and what to do. */
export const meanings: Record<keyof typeof faults, string> = {
  malformed_request:
    "The body is not JSON (the message says where), or a query parameter is not one of those allowed.",
  request_timeout: "The request was not sent whole in 30 s, its headers in 15.",
  validation_error:
    "The JSON breaks a rule. `errors` has messages by field; a bulk also has `items` by position.",
  email_already_subscribed: "The address is on the list already, perhaps unsubscribed.",
  unauthorized: "No key, or one that is mistyped, unknown, revoked or expired.",
  api_access_disabled: "API access is switched off for the account.",
  api_module_access_disabled: "The key lacks the permission that this takes.",
  not_found: "Nobody has this id on the key's newsletter, or there is nothing at this path.",
  method_not_allowed: "The path has other verbs; `Allow` names them.",
  idempotency_conflict: "The first request with this Idempotency-Key is still running. Try again shortly.",
  payload_too_large: "The body is over 256 KiB.",
  unsupported_media_type: "Send `Content-Type: application/json`, uncompressed.",
  idempotency_key_reused: "This Idempotency-Key belongs to another request. Use a new one.",
  headers_too_large: "The request line and headers are over 16 KiB together.",
  rate_limit_exceeded: "Wait `errors.retry_after` seconds; `Retry-After` says the same.",
  internal_error: "Our mistake. Tell the operator the `X-Request-Id`.",
  service_unavailable: "The database is away or busy. Nothing was changed; try again after `Retry-After`.",
};

function errorTable(): string {
  const rows = Object.entries(faults).map(([fault, { code, status }]) => {
    return `| \`${code}\` | ${status} | ${meanings[fault as keyof typeof faults]} |`;
  });
  return ["| code | status | when |", "|---|---|---|", ...rows].join("\n");
}

const person = `{"email": "ada@lovelace.org", "name": "Ada Lovelace", "status": "pending"}`;

function samples(url: string): string {
  return `\`\`\`sh
curl ${url}/api/v1/subscribers \\
  -H "Authorization: Bearer $ROLLCALL_KEY" -H "Content-Type: application/json" \\
  -d '${person}'
\`\`\`

\`\`\`js
const answer = await fetch("${url}/api/v1/subscribers", {
  method: "POST",
  headers: { Authorization: \`Bearer \${process.env.ROLLCALL_KEY}\`, "Content-Type": "application/json" },
  body: JSON.stringify(${person}),
});
const { success, data, code, errors } = await answer.json();
\`\`\`

\`\`\`python
import os, requests
answer = requests.post(
    "${url}/api/v1/subscribers",
    headers={"Authorization": f"Bearer {os.environ['ROLLCALL_KEY']}"},
    json=${person},
    timeout=10,
)
print(answer.status_code, answer.json())
\`\`\`

\`\`\`php
$request = curl_init("${url}/api/v1/subscribers");
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ["Authorization: Bearer " . getenv("ROLLCALL_KEY"), "Content-Type: application/json"],
    CURLOPT_POSTFIELDS => json_encode(["email" => "ada@lovelace.org", "name" => "Ada Lovelace", "status" => "pending"]),
]);
$answer = json_decode(curl_exec($request), true);
\`\`\``;
}

/**
 * The manual's chapters as Markdown: the opening of /docs, and /llms.txt.
 * @param url this instance's own, without a trailing slash
 */
export function chapters(url: string): string {
  return `The subscribers of a newsletter, over HTTP and JSON.

## Get a key

A key speaks for one newsletter; no call names the newsletter. Staff make keys on the dashboard, under API; an operator
makes one with \`npm run admin -- create-key\`. It is shown once. Send it with every request as
\`Authorization: Bearer sk_…\`, from a server only: there is no CORS, because a secret does not belong in a browser.
\`GET ${url}/api/v1/me\` tests a key and changes nothing.

## First call

${samples(url)}

It answers 201 with \`{"success": true, "data": {…}}\`. \`active\`, the default, puts a person on the list at once;
\`pending\` mails them a confirmation first. Add \`?dry_run=true\` to hear the result without anything being written.

## Bulk

\`POST ${url}/api/v1/subscribers/bulk\` takes a JSON array of 1 to 100 such people, and adds all of them or nobody. Every
bad item is named at once: \`errors\` by field, for people ("Item 3: …", counted from 1), and \`items\`, for programs
(\`index\` counted from 0). An address that comes twice or is on the list already rejects the whole request; with
\`?on_duplicate=skip\` it is left out instead and named in \`skipped\`.

\`\`\`sh
curl "${url}/api/v1/subscribers/bulk?on_duplicate=skip" \\
  -H "Authorization: Bearer $ROLLCALL_KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: sync-2026-11-20-page-1" \\
  -d '[{"email": "grace@navy.mil", "name": "Grace Hopper"}, {"email": "alan@bletchley.org"}]'
\`\`\`

## Errors

An error is \`{"success": false, "code", "message"}\`, often with \`errors\` by field. Go by \`code\`: messages are for
people and may change.

${errorTable()}

## Limits

Per key 60 requests a minute, 500 an hour and 3,000 a day; bulk has its own 10, 100 and 500. An operator can set others:
\`RateLimit-Policy\` and \`RateLimit\` on every answer say what holds and what is left. Bodies are at most 256 KiB. A
rejected request does not count. 20 failed keys in 10 minutes lock your address out for 10 minutes, and 100 rejected
requests lock a key's writes for a minute.

## Idempotency

Send \`Idempotency-Key\`, any 1 to 255 printable characters such as a UUID, with a create. For 24 hours a repeat with the
same key, path and body gets the first answer byte for byte, with \`Idempotency-Replayed: true\`, and mails nobody again.

## Retries

Repeat after a 429, 500 or 503, or when no answer came, with the same Idempotency-Key, waiting \`Retry-After\` or twice as
long each time. Any other 4xx will be rejected again: fix it first.

## Following changes

There are no webhooks to receive. Poll \`GET ${url}/api/v1/subscribers?status=active\`, newest first, and follow
\`pagination.next_cursor\` until you meet a person that you know.
`;
}
