// A big list of people with fields, tags and emails, and the lists, filters, searches and segments that are timed on it.
import { ofNewsletter } from "../server/accounts/context";
import { DAY_MS } from "../server/kernel/time";
import type { Db } from "../server/platform/db/client";
import { createField } from "../server/subscribers/fields";
import type { Condition, Filter } from "../server/subscribers/schema/filter";
import type { ListOrder, ListQuery } from "../server/subscribers/schema/list-query";
import type { PeopleOrder } from "../server/subscribers/schema/people-list";

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
    await createField(ctx, {
      ...ofNewsletter(newsletter),
      field: { ...field, choices: "choices" in field ? [...field.choices] : [] },
    });
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
const attributeColumns = `
  jsonb_build_object('1', 'Firm ' || n % 100, '2', 'City ' || n % 1000, '3', CASE n % 3 WHEN 0 THEN 'Editor' ELSE 'Reader' END,
    '4', n % 50, '5', n % 7, '6', '2024-03-' || lpad((1 + n % 28)::text, 2, '0'), '7', '19' || 40 + n % 60 || '-06-11',
    '8', n % 10 = 0, '9', n % 2 = 0, '10', CASE n % 5 WHEN 0 THEN 'Print' ELSE 'Digital' END),
  CASE WHEN n % 100 = 0 THEN ARRAY[101, 102, 103, 104, 105] ELSE ARRAY[102, 103, 104, 105 + n % 2, 107] END`;

/** A confirmation to each after $2 who is pending or said yes: most were delivered, one in fifty bounced, and a few wait. */
export const fillMails = `
  INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, state, link_expires_at, batch_id, batch_position,
    html, text, created_at, frozen_at, finished_at, delivered_at, bounced_at, bounce_reason)
  SELECT id, newsletter_id, id, 'confirmation', email, md5(email), state, created_at + interval '7 days', id, 0, '', '', created_at,
    created_at, CASE WHEN state = 'sent' THEN created_at END, CASE WHEN state = 'sent' AND n % 50 > 0 THEN created_at END,
    CASE WHEN state = 'sent' AND n % 50 = 0 THEN created_at END, 'no such mailbox'
  FROM (
    SELECT *, CASE WHEN n % 500 = 1 THEN 'failed' WHEN n % 500 = 2 THEN 'logged' ELSE 'sent' END AS state FROM (
      SELECT *, row_number() OVER (ORDER BY id) AS n FROM subscribers
      WHERE newsletter_id = $1 AND id > $2 AND (status = 'pending' OR confirmed_at IS NOT NULL)
    ) AS asked
  ) AS mailed`;

/** The id of the newest person. */
export const newest = "SELECT id FROM subscribers WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1";

const given =
  "Ada Maria Grace Anna John James Li Wei Mohammed Fatima Olga Ivan Chloe Emma Noah Liam Sofia Lucas Mia Leon Emil Nora Omar Aisha Priya Arjun Kenji Yuki Diego Carmen Pedro Ingrid Lars Freya Tomas Eva Jan Katja Milan Zoe Amara Bo Chidi Dagny Emre Farah Goran Hanna Ines Jun".split(
    " ",
  );
const starts = "Ok Lin Mar Nov Od Pet Quis Rah Sa Tam Bra Cor Del Fer Gre Hop Iva Jo Kov Lov".split(" ");
const ends = "afor dqvist chetti ak uya rov pe man to m elace per gado ghi gor nsen ic as ton berg".split(
  " ",
);
const list = (words: string[]) => `ARRAY[${words.map((word) => `'${word}'`).join()}]`;

/**
 * People over two years: fifty first names, the common ones far more often; four hundred family names; three in ten at
 * gmail.com, four in ten at one of ten thousand firms.
 */
export const fill = (people: number, from: number, to: number) => `
  INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, created_at, confirmed_at, unsubscribed_at, fields, tags)
  SELECT $1::uuid, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
      || '8000' || lpad(to_hex(n), 12, '0'))::uuid, email, email, first, last,
    CASE WHEN r1 < 0.8 THEN 'active' WHEN r1 < 0.9 THEN 'pending' ELSE 'unsubscribed' END,
    CASE WHEN r2 < 0.7 THEN 'api' WHEN r2 < 0.9 THEN 'import' WHEN r2 < 0.97 THEN 'public' ELSE 'dashboard' END, at,
    CASE WHEN r2 >= 0.7 AND r1 < 0.8 THEN at + interval '50 hours' * r1 END, CASE WHEN r1 >= 0.9 THEN at + interval '1 hour' END,
    ${attributeColumns}
  FROM (
    SELECT *, lower(first || '.' || last || n || '@' || CASE WHEN r3 < 0.3 THEN 'gmail.com' WHEN r3 < 0.4 THEN 'yahoo.com'
      WHEN r3 < 0.5 THEN 'outlook.com' WHEN r3 < 0.6 THEN 'example.org' ELSE 'firm' || floor(r3 * 25000)::int || '.example' END) AS email
    FROM (
      SELECT n, now() - interval '730 days' * (1 - n / ${people}::float8) AS at, random() AS r1, random() AS r2, random() AS r3,
        (${list(given)})[1 + floor(${given.length} * power(random(), 2))::int] AS first,
        (${list(starts)})[1 + floor(${starts.length} * random())::int] || (${list(ends)})[1 + floor(${ends.length} * random())::int] AS last
      FROM generate_series(${from}, ${to}) AS n
    ) AS drawn
  ) AS people`;

type Case = { group: string; name: string; filter?: (n: number) => Filter; order?: PeopleOrder };

const of = <T>(values: T[], n: number) => values[n % values.length] as T;
const all = (...conditions: Condition[]): Filter => ({ match: "all", conditions, not: [] });
const status = (...is: Extract<Condition, { about: "status" }>["is"]): Condition => ({ about: "status", is });
const source = (...is: Extract<Condition, { about: "source" }>["is"]): Condition => ({ about: "source", is });
const search = (value: string): Condition => ({ about: "search", value });
const time = (about: "added" | "confirmed", test: "after" | "before", daysAgo: number): Condition => {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  at.setUTCHours(0, 0, 0, 0);
  return { about, test, at: at.toISOString() };
};
const field = (key: string, test: "is" | "contains" | "at_least" | "not_set", value?: string) =>
  ({ about: "field", key, test, ...(value !== undefined && { value }) }) as const;
const days = (about: "added" | "asked", test: "within_days" | "over_days_ago", count: number) =>
  ({ about, test, days: count }) as const;

const filters: Record<string, Filter> = {
  active: all(status("active")),
  pending: all(status("pending")),
  "pending or active": all(status("pending", "active")),
  "pending or unsubscribed, source: import or dashboard": all(
    status("pending", "unsubscribed"),
    source("import", "dashboard"),
  ),
  "source: import": all(source("import")),
  "active, source: API": all(status("active"), source("api")),
  "added in the last 30 days": all(time("added", "after", 30)),
  "pending, added in one month of last year": all(
    status("pending"),
    time("added", "after", 500),
    time("added", "before", 470),
  ),
  "confirmed in the last 30 days": all(time("confirmed", "after", 30)),
};

/** Texts that people search for, another one in each round. */
const searches: Record<string, (n: number) => string> = {
  "an address in full": (n) => `${of(given, n)}.${of(starts, n)}${of(ends, n)}${n}@gmail.com`,
  "a rare name (first and last)": (n) => `${of(given.slice(30), n * 7)} ${of(starts, n)}${of(ends, n * 3)}`,
  "a common first name": (n) => of(given, n % 5),
  "a firm's domain": (n) => `firm${10_000 + n * 61}.example`,
  "gmail.com (3 in 10 people)": () => "gmail.com",
  "the middle of a word": (n) => of(["dqvis", "chett", "adgor", "ovber", "umpe"], n),
  "two letters": (n) => of(["gr", "ma", "zo", "ok", "ja"], n),
  "one letter": (n) => of(["a", "z", "q", "m", "c"], n),
  "nothing found": (n) => `xq${n}zz`,
};

/** A segment of each kind. */
const segments: Record<string, Filter> = {
  "name contains a rare part": all({ about: "name", test: "contains", value: "zoe lovgi" }),
  "tag: one in a hundred": all({ about: "tag", is: ["vip"] }),
  "text field is: one in a hundred": all(field("company", "is", "firm 7")),
  "text field contains: one in nine": all(field("company", "contains", "firm 1")),
  "date at least: half": all(field("since", "at_least", "2024-03-15")),
  "choice: one in five": all(field("edition", "is", "Print")),
  "field not set: nobody": all(field("company", "not_set")),
  "added in the last 30 days": all(days("added", "within_days", 30)),
  "asked over 7 days ago and silent": all(status("pending"), days("asked", "over_days_ago", 7)),
  "last confirmation bounced": all({ about: "mail", is: ["bounced"] }),
  "any of a tag and a day, none of two statuses and a mail": {
    match: "any",
    conditions: [{ about: "tag", is: ["vip"] }, days("added", "within_days", 90)],
    not: [status("unsubscribed", "pending"), { about: "mail", is: ["bounced"] }],
  },
};

const orders: PeopleOrder[] = ["oldest", "email", "-email", "name", "-name", "-confirmed"];
const fixed = (group: string, named: Record<string, Filter>): Case[] =>
  Object.entries(named).map(([name, filter]) => ({ group, name, filter: () => filter }));
const firstName: Case["filter"] = (n) => all(search(of(given, n % 5)));
const leftDashboard: Case["filter"] = () => all(status("unsubscribed"), source("dashboard"));

export const cases: Case[] = [
  { group: "list", name: "opened, newest first" },
  ...orders.map((order) => ({ group: "list", name: `by ${order}`, order })),
  ...fixed("filter", filters),
  { group: "filter", name: "unsubscribed, dashboard, by name", filter: leftDashboard, order: "name" },
  ...Object.entries(searches).map(([name, text]) => {
    const filter: Case["filter"] = (n) => all(search(text(n)));
    return { group: "search", name, filter };
  }),
  ...fixed("search and filter", { "gmail.com, pending": all(search("gmail.com"), status("pending")) }),
  { group: "search and filter", name: "a common first name, by name", filter: firstName, order: "name" },
  ...fixed("segment", segments),
];

type RestCase = {
  name: string;
  query?: Pick<ListQuery, "status" | "tag" | "search">;
  order?: ListOrder;
  /** What of a person an order other than by id continues after. */
  value?: "email" | "time";
  /** A page by number in place of a cursor. */
  page?: number;
};

/** Pages of REST: after any person, or by number. */
export const restCases = (people: number): RestCase[] => [
  { name: "newest first" },
  { name: "by email", order: "email", value: "email" },
  { name: "by sign-up", order: "subscribed_at", value: "time" },
  { name: "by last change", order: "-updated", value: "time" },
  { name: "active", query: { status: "active" } },
  { name: "tag: one in a hundred", query: { tag: "vip" } },
  { name: "search: gmail.com", query: { search: "gmail.com" } },
  { name: "page number 101", page: 101 },
  { name: "the last page number", page: Math.ceil(people / 100) },
];
