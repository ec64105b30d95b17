// Fields, tags and emails of a big list, and segments of each kind.

import type { Db } from "../server/platform/db/client";
import { createField } from "../server/subscribers/fields";
import type { Condition, Filter } from "../server/subscribers/schema/filter";

const tags = ["vip", "press", "donor", "teacher", "event 2026"];
const fields = [
  { key: "company", type: "text" },
  { key: "city", type: "text" },
  { key: "role", type: "text" },
  { key: "seats", type: "number" },
  { key: "orders", type: "number" },
  { key: "since", type: "date" },
  { key: "birthday", type: "date" },
  { key: "vip", type: "boolean" },
  { key: "reader", type: "boolean" },
  { key: "edition", type: "choice", choices: ["Print", "Digital"] },
] as const;
const FIRST_TAG = 101;

type BenchCtx = { db: Db; actor: { kind: "operator" }; requestId: string };

/** Defines ten fields, with the numbers 1 to 10, and five tags. */
export async function defineAttributes(
  ctx: BenchCtx,
  newsletter: { id: string; accountId: string },
): Promise<void> {
  for (const field of fields)
    await createField(ctx, newsletter, { ...field, choices: "choices" in field ? [...field.choices] : [] });
  await ctx.db.tag.createMany({
    data: tags.map((name, i) => ({
      newsletterId: newsletter.id,
      number: FIRST_TAG + i,
      name,
      canonical: name,
    })),
  });
}

/** Ten values by number and five tags of a person, of whom one in a hundred is at the firm that is searched, by n. */
export const attributeColumns = `
  jsonb_build_object('1', 'Firm ' || n % 100, '2', 'City ' || n % 1000, '3', CASE n % 3 WHEN 0 THEN 'Editor' ELSE 'Reader' END,
    '4', n % 50, '5', n % 7, '6', '2024-03-' || lpad((1 + n % 28)::text, 2, '0'), '7', '19' || 40 + n % 60 || '-06-11',
    '8', n % 10 = 0, '9', n % 2 = 0, '10', CASE n % 5 WHEN 0 THEN 'Print' ELSE 'Digital' END),
  CASE WHEN n % 100 = 0 THEN ARRAY[101, 102, 103, 104, 105] ELSE ARRAY[102, 103, 104, 105 + n % 2, 107] END`;

/** A confirmation to each who is pending or said yes: most were delivered, one in fifty bounced, and a few wait. */
export const fillMails = `
  INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, state, link_expires_at, batch_id, batch_position,
    html, text, created_at, frozen_at, finished_at, delivered_at, bounced_at, bounce_reason)
  SELECT id, newsletter_id, id, 'confirmation', email, md5(email), state, created_at + interval '7 days', id, 0, '', '', created_at,
    created_at, CASE WHEN state = 'sent' THEN created_at END, CASE WHEN state = 'sent' AND n % 50 > 0 THEN created_at END,
    CASE WHEN state = 'sent' AND n % 50 = 0 THEN created_at END, 'no such mailbox'
  FROM (
    SELECT *, CASE WHEN n % 500 = 1 THEN 'failed' WHEN n % 500 = 2 THEN 'logged' ELSE 'sent' END AS state FROM (
      SELECT *, row_number() OVER (ORDER BY id) AS n FROM subscribers
      WHERE newsletter_id = $1 AND (status = 'pending' OR confirmed_at IS NOT NULL)
    ) AS asked
  ) AS mailed`;

export const all = (...conditions: Condition[]): Filter => ({ match: "all", conditions, not: [] });
const field = (
  key: string,
  test: "is" | "contains" | "at_least" | "set" | "not_set",
  value?: string | number | boolean,
) => ({ about: "field", key, test, ...(value !== undefined && { value }) }) as const;
const days = (about: "added" | "confirmed" | "asked", test: "within_days" | "over_days_ago", count: number) =>
  ({ about, test, days: count }) as const;

/** A segment of each kind. */
export const benchSegments: Record<string, Filter> = {
  "status: pending or active": all({ about: "status", is: ["pending", "active"] }),
  "name contains a rare part": all({ about: "name", test: "contains", value: "zoe lovgi" }),
  "tag: one in a hundred": all({ about: "tag", is: ["vip"] }),
  "text field is: one in a hundred": all(field("company", "is", "firm 7")),
  "text field contains: one in nine": all(field("company", "contains", "firm 1")),
  "date at least: half": all(field("since", "at_least", "2024-03-15")),
  "choice: one in five": all(field("edition", "is", "Print")),
  "field not set: nobody": all(field("company", "not_set")),
  "added in the last 30 days": all(days("added", "within_days", 30)),
  "asked over 7 days ago and silent": all(
    { about: "status", is: ["pending"] },
    days("asked", "over_days_ago", 7),
  ),
  "last confirmation bounced": all({ about: "mail", is: ["bounced"] }),
  "any of a tag and a day, none of two statuses and a mail": {
    match: "any",
    conditions: [{ about: "tag", is: ["vip"] }, days("added", "within_days", 90)],
    not: [
      { about: "status", is: ["unsubscribed", "pending"] },
      { about: "mail", is: ["bounced"] },
    ],
  },
};
