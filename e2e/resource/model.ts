// The contract once more, as a model in memory: written from contract.md and shared with none of the product's code.

/** Addresses, each with what is kept of it and what makes it unique; by hand, from contract.md §4. */
export const goodEmails = [
  { sent: "ada@example.org", kept: "ada@example.org", canonical: "ada@example.org" },
  { sent: "Ada@Example.ORG", kept: "Ada@Example.ORG", canonical: "ada@example.org" },
  { sent: " ada@example.org\t", kept: "ada@example.org", canonical: "ada@example.org" },
  { sent: "ada+news@example.org", kept: "ada+news@example.org", canonical: "ada+news@example.org" },
  { sent: "bob@bücher.example", kept: "bob@bücher.example", canonical: "bob@xn--bcher-kva.example" },
  {
    sent: "BOB@XN--BCHER-KVA.example",
    kept: "BOB@XN--BCHER-KVA.example",
    canonical: "bob@xn--bcher-kva.example",
  },
  { sent: "carl@example.org", kept: "carl@example.org", canonical: "carl@example.org" },
  { sent: "dora@example.org", kept: "dora@example.org", canonical: "dora@example.org" },
  { sent: "erik@example.org", kept: "erik@example.org", canonical: "erik@example.org" },
] as const;
export const badEmails = [
  undefined,
  null,
  7,
  "",
  "nobody",
  "a@b",
  "a b@example.org",
  "x@example.org.",
  "x@@example.org",
];

export const goodNames = [
  { sent: undefined, kept: "" },
  { sent: null, kept: "" },
  { sent: "", kept: "" },
  { sent: "Plato", kept: "Plato" },
  { sent: "  Ada King Lovelace ", kept: "Ada King Lovelace" },
  { sent: "Zoe\u0308", kept: "Zoë" },
  { sent: "x".repeat(255), kept: "x".repeat(255) },
] as const;
export const badNames = [5, "a\nb", "x".repeat(256), "a\u202eb", ["Ada"]];
export const goodStatuses = [undefined, "active", "pending"] as const;
export const badStatuses = [null, "unsubscribed", "Active", 1];

/** Of a newsletter with the fields seats (a number) and edition (Print or Digital): each with what it changes. */
export const fieldKeys = ["seats", "edition"];
export const goodFields = [
  { sent: undefined, kept: {} },
  { sent: {}, kept: {} },
  { sent: { seats: 3 }, kept: { seats: 3 } },
  { sent: { seats: 0, edition: "PRINT" }, kept: { seats: 0, edition: "Print" } },
  { sent: { seats: null }, kept: { seats: null } },
  { sent: { edition: "" }, kept: { edition: null } },
] as const;
export const badFields = [
  { sent: { seats: "3" }, field: "fields.seats" },
  { sent: { seats: 1, edition: "Audio" }, field: "fields.edition" },
  { sent: { colour: "red" }, field: "fields.colour" },
] as const;
/** `kept` in lower case: whose spelling a tag has is told elsewhere. */
export const goodTags = [
  { sent: undefined, kept: undefined },
  { sent: null, kept: [] },
  { sent: ["vip"], kept: ["vip"] },
  { sent: ["Print", "VIP", "print"], kept: ["print", "vip"] },
] as const;
export const badTags = ["vip", [""], [7]];

export type Status = "active" | "pending" | "unsubscribed";
export type Person = {
  id: string;
  email: string;
  canonical: string;
  name: string;
  status: Status;
  createdAt: string;
  /** Confirmation emails that were asked for, ever. */
  mails: number;
  /** They unsubscribed, or had at this address, and no press of theirs brought them back. */
  left: boolean;
  fields: Record<string, unknown>;
  tags: readonly string[];
};

export type Body = { email?: unknown; name?: unknown; status?: unknown; fields?: unknown; tags?: unknown };
type Fields = {
  email?: { kept: string; canonical: string };
  name?: string;
  status?: "active" | "pending";
  fields?: Record<string, unknown>;
  tags?: readonly string[] | undefined;
};

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The fields and tags of a body. Values are looked at once all else holds. */
function validateAttributes(body: Body, fields: Fields, bad: string[]): void {
  if (body.tags !== undefined) {
    const tags = goodTags.find(({ sent }) => same(sent, body.tags));
    if (tags) fields.tags = tags.kept;
    else bad.push("tags");
  }
  if (body.fields === undefined) return;
  const values = goodFields.find(({ sent }) => same(sent, body.fields));
  if (values) fields.fields = values.kept;
  else if (bad.length === 0) bad.push(badFields.find(({ sent }) => same(sent, body.fields))?.field as string);
}

function changeAttributes(person: Person, { fields = {}, tags }: Fields): void {
  const merged = Object.entries({ ...person.fields, ...fields }).filter(([, value]) => value !== null);
  person.fields = Object.fromEntries(merged);
  if (tags !== undefined) person.tags = tags;
}

/** What of a body holds, and which fields break a rule. Absent fields are absent from `fields`. */
export function validate(body: Body, { whole }: { whole: boolean }): { fields: Fields; bad: string[] } {
  const fields: Fields = {};
  const bad: string[] = [];
  const email = goodEmails.find(({ sent }) => sent === body.email);
  if (email) fields.email = email;
  else if (whole || body.email !== undefined) bad.push("email");
  if (body.name !== undefined) {
    const name = goodNames.find(({ sent }) => sent === body.name);
    if (name) fields.name = name.kept;
    else bad.push("name");
  }
  if (body.status === "active" || body.status === "pending") fields.status = body.status;
  else if (body.status !== undefined) bad.push("status");
  validateAttributes(body, fields, bad);
  const says = Object.keys(body).some((name) => body[name as keyof Body] !== undefined);
  if (!whole && bad.length === 0 && !says) bad.push("body");
  return { fields, bad };
}

/** What is expected of an answer: a validation, and for a 2xx what its data must be. */
export type Validation =
  | { status: 200 | 201; code?: undefined; data: unknown; pagination?: unknown; replayed?: string }
  | {
      status: 400 | 404 | 422;
      code: string;
      also?: string;
      fields?: string[];
      items?: string[];
      replayed?: string;
    };

/** Reasons by rank: of two for one address the later stays. */
const reasons = ["manual", "bounced", "unsubscribed", "complained", "denied"];
export const goodReasons = reasons.slice(0, 4);
export const badReasons = [undefined, null, 7, "denied", "Manual"];
export const goodDates = [
  { sent: undefined, kept: undefined },
  { sent: "2024-03-02T10:30:00.999+01:00", kept: "2024-03-02T09:30:00+00:00" },
  { sent: "2025-01-01T00:00:00Z", kept: "2025-01-01T00:00:00+00:00" },
] as const;
export const badDates = [null, 7, "2024-03-02", "2999-01-01T00:00:00Z"];

export type SuppressionBody = { email?: unknown; reason?: unknown; date?: unknown };
export type Suppression = {
  /** These two are the answer's to tell. */
  id: string;
  createdAt: string;
  canonical: string;
  email: string | null;
  reason: string;
  source: "api" | "person";
  /** Asked by mail whether they want to come back: once. */
  asked: boolean;
};

export const suppressionRecord = ({ id, email, reason, source, createdAt }: Suppression) => ({
  id,
  email,
  reason,
  source,
  created_at: createdAt,
});

export const record = (person: Person) => ({
  id: person.id,
  email: person.email,
  name: person.name,
  status: person.status,
  created_at: person.createdAt,
});

/** What a change changes. */
const stateOf = ({ fields, tags, ...person }: Person) =>
  JSON.stringify([record({ fields, tags, ...person }), Object.entries(fields).sort(), tags]);

/** One thing that a segment of the model asks of a person. */
export type Asked =
  | { about: "status"; is: Status[] }
  | { about: "email" | "name"; test: "contains" | "is" | "starts_with" | "set" | "not_set"; value: string }
  | { about: "tag"; is: string[] }
  | {
      about: "field";
      key: "seats" | "edition";
      test: "is" | "at_least" | "set" | "not_set";
      value: number | string;
    }
  | { about: "added" | "asked"; test: "within_days" | "not_set"; days: number }
  | { about: "mail"; is: ("waiting" | "sent")[] };
export type SegmentOfModel = { match: "all" | "any"; conditions: Asked[]; not: Asked[] };

function compares(test: string, stored: string, value: string): boolean {
  if (test.endsWith("set")) return (stored === "") === (test === "not_set");
  const [has, wanted] = [stored.toLowerCase(), value.toLowerCase()];
  if (test === "is") return has === wanted;
  return test === "contains" ? has.includes(wanted) : has.startsWith(wanted);
}

function asks(one: Asked, person: Person): boolean {
  if (one.about === "field") {
    const stored = person.fields[one.key];
    if (one.test.endsWith("set")) return (stored === undefined) === (one.test === "not_set");
    return one.test === "is"
      ? stored === one.value
      : stored !== undefined && (stored as number) >= (one.value as number);
  }
  if (one.about === "status") return one.is.includes(person.status);
  if (one.about === "email" || one.about === "name") return compares(one.test, person[one.about], one.value);
  if (one.about === "tag") return one.is.some((tag) => person.tags.includes(tag.toLowerCase()));
  // Whoever is pending has a confirmation that waits; no mail leaves here, and all were added today.
  if (one.about === "mail") return person.status === "pending" && one.is.includes("waiting");
  return one.test === (one.about === "added" ? "within_days" : "not_set");
}

function isInSegment({ match, conditions, not }: SegmentOfModel, person: Person): boolean {
  const held = conditions.map((one) => asks(one, person));
  const isMatch = match === "all" || held.length === 0 ? !held.includes(false) : held.includes(true);
  return isMatch && !not.some((one) => asks(one, person));
}

/** Stand in for what only the answer can tell. */
export const NEW_ID = "<new id>";
export const NOW = "<now>";

/** One newsletter. */
export class List {
  /** In the order of creation. */
  readonly people: Person[] = [];
  /** Who is gone for good. */
  readonly erased: Person[] = [];
  /** What happened to whom, by request. */
  readonly changes: { type: string; person: Person }[][] = [];

  private note(people: Partial<Record<"created" | "updated" | "unsubscribed" | "erased", Person[]>>): void {
    this.changes.push(
      Object.entries(people).flatMap(([type, all]) => all.map((person) => ({ type, person }))),
    );
  }

  private find(canonical: string): Person | undefined {
    return this.people.find((person) => person.canonical === canonical);
  }

  /** By canonical address, in the order in which they were added. */
  readonly suppressed = new Map<string, Suppression>();

  /** Whether an address may not even be asked by mail. */
  private isFinal(suppression: Suppression | undefined): boolean {
    return (
      suppression !== undefined &&
      (suppression.asked || ["bounced", "complained", "denied"].includes(suppression.reason))
    );
  }

  private refuses({ email, status = "active" }: Fields): boolean {
    const suppression = this.suppressed.get(email?.canonical as string);
    return suppression !== undefined && (status === "active" || this.isFinal(suppression));
  }

  /** Who left gets another address: theirs stays suppressed, as their own act. */
  private suppressLeft(canonical: string): void {
    const old = this.suppressed.get(canonical);
    const stronger = old !== undefined && reasons.indexOf(old.reason) > reasons.indexOf("unsubscribed");
    this.suppressed.set(canonical, {
      ...(old ?? { id: NEW_ID, createdAt: NOW, canonical, asked: false }),
      email: null,
      reason: stronger ? old.reason : "unsubscribed",
      source: "person",
    });
  }

  /** @returns the validation, or a record of each item, in their order */
  suppress(bodies: SuppressionBody[]): Validation | Suppression[] {
    const items: string[] = [];
    const seen = new Set<string>();
    for (const [index, body] of bodies.entries()) {
      const email = goodEmails.find(({ sent }) => sent === body.email);
      const bad = [
        email === undefined && "email",
        !goodReasons.includes(body.reason as string) && "reason",
        !goodDates.some(({ sent }) => sent === body.date) && "date",
      ].filter((field) => field !== false);
      for (const field of bad) items.push(`${index} ${field}`);
      // Only of what is valid by itself is said that it comes twice.
      if (bad.length > 0 || !email) continue;
      if (seen.has(email.canonical)) items.push(`${index} email`);
      seen.add(email.canonical);
    }
    if (bodies.length === 0) return { status: 422, code: "validation_error", fields: ["body"] };
    if (items.length > 0) return { status: 422, code: "validation_error", items };
    const staying = this.people.filter(({ status }) => status !== "unsubscribed");
    const made = bodies.map((body) => this.suppressOne(body));
    this.note({ unsubscribed: staying.filter(({ status }) => status === "unsubscribed") });
    return made;
  }

  private suppressOne({ email: sent, reason: given, date }: SuppressionBody): Suppression {
    const reason = given as string;
    const { kept: email, canonical } = goodEmails.find((one) => one.sent === sent) as (typeof goodEmails)[0];
    const at = goodDates.find((one) => one.sent === date)?.kept ?? NOW;
    const person = this.find(canonical);
    if (person) [person.status, person.left] = ["unsubscribed", true];
    const old = this.suppressed.get(canonical);
    if (!old)
      this.suppressed.set(canonical, {
        id: NEW_ID,
        createdAt: at,
        canonical,
        email,
        reason,
        source: "api",
        asked: false,
      });
    else if (reasons.indexOf(reason) > reasons.indexOf(old.reason)) {
      // "<now>" is before any digit, and is not earlier than a date.
      const createdAt =
        at === NOW ? old.createdAt : old.createdAt === NOW || at < old.createdAt ? at : old.createdAt;
      const source = old.source === "person" ? "person" : "api";
      Object.assign(old, { email, reason, createdAt, source });
    }
    return this.suppressed.get(canonical) as Suppression;
  }

  lift(id: string): Validation {
    const suppression = [...this.suppressed.values()].find((one) => one.id === id);
    if (!suppression) return { status: 404, code: "not_found" };
    const onTheList = suppression.email !== null && this.find(suppression.canonical)?.left;
    if (suppression.source === "person" || onTheList)
      return { status: 422, code: "validation_error", fields: ["id"] };
    this.suppressed.delete(suppression.canonical);
    return { status: 200, data: suppressionRecord(suppression) };
  }

  private add(added: Fields): Person {
    const { email, name = "", status = "active" } = added;
    const { kept, canonical } = email as { kept: string; canonical: string };
    const mails = status === "pending" ? 1 : 0;
    const suppression = this.suppressed.get(canonical);
    const left = suppression !== undefined;
    if (suppression) suppression.asked = true;
    const known = { id: NEW_ID, email: kept, canonical, name, status, createdAt: NOW, mails, left };
    const person: Person = { ...known, fields: {}, tags: [] };
    changeAttributes(person, added);
    this.people.push(person);
    return person;
  }

  /** What `on_duplicate=update` makes of somebody who is there. */
  private update(person: Person, given: Fields): Person {
    if (given.name !== undefined) person.name = given.name;
    changeAttributes(person, given);
    const { status } = given;
    if (status === undefined || person.status === "active" || person.status === status) return person;
    const suppression = this.suppressed.get(person.canonical);
    if (status === "active" ? person.left || suppression : this.isFinal(suppression)) return person;
    if (suppression) suppression.asked = true;
    if (status === "pending") person.mails++;
    person.status = status;
    return person;
  }

  upsert(body: Body, dry: boolean): { validation: Validation; made: Person[] } {
    const { fields, bad } = validate(body, { whole: true });
    if (bad.length > 0)
      return { validation: { status: 422, code: "validation_error", fields: bad }, made: [] };
    const there = this.find(fields.email?.canonical as string);
    if (!there || dry) {
      const { validation, made } = there
        ? { validation: { status: 200 as const, data: { valid: true } }, made: [] }
        : this.create(body, dry);
      return { validation, made };
    }
    const before = stateOf(there);
    this.update(there, fields);
    this.note({ updated: stateOf(there) === before ? [] : [there] });
    return { validation: { status: 200, data: record(there) }, made: [] };
  }

  /** @returns the validation, and whom it made: their id and time are the answer's to tell */
  create(body: Body, dry: boolean): { validation: Validation; made: Person[] } {
    const { fields, bad } = validate(body, { whole: true });
    if (bad.length > 0)
      return { validation: { status: 422, code: "validation_error", fields: bad }, made: [] };
    if (this.find(fields.email?.canonical as string))
      return { validation: { status: 422, code: "email_already_subscribed", fields: ["email"] }, made: [] };
    if (this.refuses(fields))
      return { validation: { status: 422, code: "email_suppressed", fields: ["email"] }, made: [] };
    if (dry) return { validation: { status: 200, data: { valid: true } }, made: [] };
    const person = this.add(fields);
    this.note({ created: [person] });
    return { validation: { status: 201, data: record(person) }, made: [person] };
  }

  bulk(
    bodies: Body[],
    dry: boolean,
    onDuplicate: "error" | "skip" | "update",
  ): { validation: Validation; made: Person[] } {
    const skip = onDuplicate === "skip";
    if (bodies.length < 1 || bodies.length > 100)
      return { validation: { status: 422, code: "validation_error", fields: ["body"] }, made: [] };
    const validated = bodies.map((body) => validate(body, { whole: true }));
    const first = new Map<string, number>();
    const items: string[] = [];
    const skipped: { index: number; email: string; reason: string }[] = [];
    const fresh: Fields[] = [];
    const changed: [Person, Fields][] = [];
    for (const [index, { fields, bad }] of validated.entries()) {
      for (const field of bad) items.push(`${index} ${field}`);
      if (bad.length > 0) continue;
      const { kept, canonical } = fields.email as { kept: string; canonical: string };
      const repeated = first.has(canonical);
      const there = this.find(canonical);
      const reason = repeated ? "duplicate_in_request" : there ? "already_subscribed" : null;
      first.set(canonical, first.get(canonical) ?? index);
      if (there && !repeated && onDuplicate === "update") {
        changed.push([there, fields]);
        continue;
      }
      if (reason === null && this.refuses(fields)) items.push(`${index} email`);
      else if (reason === null) fresh.push(fields);
      else if (skip) skipped.push({ index, email: kept, reason });
      else items.push(`${index} email`);
    }
    if (items.length > 0) {
      const fields = [...new Set(items.map((item) => item.split(" ")[1] as string))];
      return { validation: { status: 422, code: "validation_error", fields, items }, made: [] };
    }
    const tail = skip ? { skipped } : {};
    if (dry) return { validation: { status: 200, data: { valid: true, ...tail } }, made: [] };
    const made = fresh.map((fields) => this.add(fields));
    const before = changed.map(([person]) => stateOf(person));
    const updated = changed.map(([person, fields]) => record(this.update(person, fields)));
    const others = changed.filter(([person], i) => stateOf(person) !== before[i]).map(([person]) => person);
    this.note({ created: made, updated: others });
    const more = onDuplicate === "update" ? { updated } : tail;
    return { validation: { status: 201, data: { created: made.map(record), ...more } }, made };
  }

  get(id: string): Validation {
    const person = this.people.find((one) => one.id === id);
    return person ? { status: 200, data: record(person) } : { status: 404, code: "not_found" };
  }

  put(id: string, body: Body): Validation {
    const { fields, bad } = validate(body, { whole: false });
    if (bad.length > 0) return { status: 422, code: "validation_error", fields: bad, ...this.unknown(id) };
    const person = this.people.find((one) => one.id === id);
    if (!person) return { status: 404, code: "not_found" };
    const taken = fields.email ? this.find(fields.email.canonical) : undefined;
    const occupied = taken !== undefined && taken !== person;
    const suppressed = this.suppressed.get(person.canonical);
    const stays = !fields.email || fields.email.canonical === person.canonical;
    const asks = fields.status === "pending" && person.status !== "pending";
    if ((person.left && fields.status === "active") || (asks && stays && this.isFinal(suppressed))) {
      const also = occupied ? "email_already_subscribed" : undefined;
      return { status: 422, code: "validation_error", also, fields: occupied ? undefined : ["status"] };
    }
    const becomes = fields.status ?? person.status;
    if (!stays && becomes !== "unsubscribed" && this.suppressed.has(fields.email?.canonical as string))
      return { status: 422, code: "email_suppressed", fields: ["email"] };
    if (occupied) return { status: 422, code: "email_already_subscribed", fields: ["email"] };
    if (!stays && person.left) this.suppressLeft(person.canonical);
    if (asks && stays && suppressed) suppressed.asked = true;
    const before = { ...person, state: stateOf(person) };
    if (fields.email) [person.email, person.canonical] = [fields.email.kept, fields.email.canonical];
    if (fields.name !== undefined) person.name = fields.name;
    changeAttributes(person, fields);
    if (fields.status) person.status = fields.status;
    const moved = person.status !== before.status || person.canonical !== before.canonical;
    if (moved && person.status === "pending") person.mails++;
    this.note({ updated: stateOf(person) === before.state ? [] : [person] });
    return { status: 200, data: record(person) };
  }

  /** A body that breaks a rule for an id that is nobody's: the contract does not say which answers first. */
  private unknown(id: string): { also?: string; fields?: undefined } {
    return this.people.some((one) => one.id === id) ? {} : { also: "not_found", fields: undefined };
  }

  delete(id: string): Validation {
    const person = this.people.find((one) => one.id === id);
    if (!person) return { status: 404, code: "not_found" };
    this.note({ unsubscribed: person.status === "unsubscribed" ? [] : [person] });
    person.status = "unsubscribed";
    person.left = true;
    return { status: 200, data: record(person) };
  }

  /** Nothing of them stays but that their address is not written to. */
  erase(id: string): Validation {
    const person = this.people.find((one) => one.id === id);
    if (!person) return { status: 404, code: "not_found" };
    this.people.splice(this.people.indexOf(person), 1);
    this.erased.push(person);
    this.note({ erased: [person] });
    const { canonical } = person;
    const old = this.suppressed.get(canonical);
    if (person.left) this.suppressLeft(canonical);
    else if (old) old.email = null;
    else {
      const known = { id: NEW_ID, createdAt: NOW, canonical, email: null };
      this.suppressed.set(canonical, { ...known, reason: "manual", source: "api", asked: false });
    }
    return { status: 200, data: record({ ...person, status: "unsubscribed" }) };
  }

  /** @param query after: the person a cursor points behind, who may be gone; ids are in the order of creation */
  list(query: {
    status?: Status;
    canonical?: string;
    limit?: number;
    page?: number;
    after?: string;
    segment?: SegmentOfModel;
  }): Validation {
    const { limit = 50, page } = query;
    const all = [...this.people]
      .reverse()
      .filter((one) => query.status === undefined || one.status === query.status)
      .filter((one) => query.canonical === undefined || one.canonical === query.canonical)
      .filter((one) => query.segment === undefined || isInSegment(query.segment, one));
    const { after } = query;
    const behind = after === undefined ? all : all.filter((one) => one.id < after);
    const from = page === undefined ? 0 : (page - 1) * limit;
    const shown = behind.slice(from, from + limit);
    const more = behind.length > from + limit;
    return {
      status: 200,
      data: shown.map(record),
      pagination: {
        limit,
        total: all.length,
        next_cursor: more,
        ...(page !== undefined && { page, pages: Math.ceil(all.length / limit) }),
      },
    };
  }
}
