// The moves of contract.md as a model in memory, which shares no code with the product. Other tests hold what one request
// may say; the model holds what any order of valid requests leads to.

type Status = "active" | "pending" | "unsubscribed";
export type Body = {
  email: string;
  name?: string;
  status?: "active" | "pending";
  external_id?: string | null;
};
export type OnDuplicate = "error" | "skip" | "update";
export type Person = {
  /** Read from the first answer about the person. */
  id?: string;
  email: string;
  name: string;
  status: Status;
  external_id: string | null;
  /** The number of confirmation emails ever requested. */
  mails: number;
  /** Whether they opted out, or this address did, and have not confirmed since. */
  left: boolean;
};
type Suppression = { email: string | null; reason: string; source: "api" | "person"; asked: boolean };
export type Outcome = {
  status: number;
  /** The accepted error codes. */
  codes?: string[];
  /** The fields with errors; of a bulk, the index and field of each bad item. */
  errors?: string[];
  people?: Person[];
  /** Only with on_duplicate=update. */
  updated?: Person[];
  /** The indexes of skipped items. Only with on_duplicate=skip or update. */
  skipped?: number[];
};

/** From weak to strong. A stronger reason replaces a weaker one. */
const reasons = ["manual", "bounced", "unsubscribed", "complained", "denied"];
const isStronger = (reason: string, than: string) => reasons.indexOf(reason) > reasons.indexOf(than);

/** The model's addresses differ in case only. */
export const canonicalOf = ({ email }: { email: string }) => email.toLowerCase();

const reject = (code: string, ...errors: string[]): Outcome => ({ status: 422, codes: [code], errors });
const stateOf = ({ email, name, status, external_id }: Person) =>
  `${email} ${name} ${status} ${external_id ?? ""}`;

/** Whether the address may not even receive a resubscribe link. */
const isFinal = (suppression: Suppression | undefined) =>
  suppression !== undefined &&
  (suppression.asked || ["bounced", "complained", "denied"].includes(suppression.reason));

export class Newsletter {
  /** How many people on_duplicate=update gave another address. */
  static readdressed = 0;
  readonly people: Person[] = [];
  /** By canonical address, in the order in which they were added. */
  readonly suppressions = new Map<string, Suppression>();
  /** The changes of each request. */
  readonly changes: { type: string; person: Person }[][] = [];

  find(body: { email: string }): Person | undefined {
    return this.people.find((person) => canonicalOf(person) === canonicalOf(body));
  }

  /** The person with the external id. */
  findById({ external_id }: Partial<Body>): Person | undefined {
    return external_id ? this.people.find((person) => person.external_id === external_id) : undefined;
  }

  create(body: Body): Outcome {
    if (this.find(body)) return reject("email_already_subscribed", "email");
    if (this.refuses(body)) return reject("email_suppressed", "email");
    if (this.findById(body)) return reject("validation_error", "external_id");
    const person = this.add(body);
    this.note("created", [person]);
    return { status: 201, people: [person] };
  }

  upsert(body: Body): Outcome {
    const person = this.findById(body) ?? this.find(body);
    if (!person) return this.create(body);
    if (this.isOfAnother(person, body)) return reject("validation_error", "email");
    if (this.refusesMove(person, body)) return reject("email_suppressed", "email");
    this.noteUpdates([person], () => this.update(person, body));
    return { status: 200, people: [person] };
  }

  bulk(bodies: Body[], onDuplicate: OnDuplicate): Outcome {
    const bad: string[] = [];
    const skipped: number[] = [];
    const fresh: Body[] = [];
    const known: { person: Person; body: Body }[] = [];
    const addresses = new Set<string>();
    const ids = new Set<string>();
    for (const [index, body] of bodies.entries()) {
      const isRepeatedAddress = addresses.has(canonicalOf(body));
      const isRepeatedId = ids.has(body.external_id ?? "");
      const isRepeated = isRepeatedAddress || isRepeatedId;
      if (!isRepeated) addresses.add(canonicalOf(body));
      if (!isRepeated && body.external_id) ids.add(body.external_id);
      const byId = this.findById(body);
      const person = byId ?? this.find(body);
      if (person && !isRepeated && onDuplicate === "update") {
        const isTwice = known.some((one) => one.person === person);
        if (isTwice || this.isOfAnother(person, body)) bad.push(`${index} email`);
        else if (this.refusesMove(person, body)) skipped.push(index);
        else known.push({ person, body });
      } else if (!person && !isRepeated && !this.refuses(body)) fresh.push(body);
      else if (onDuplicate === "error") {
        const isOnlyId = isRepeated ? !isRepeatedAddress : byId && !this.find(body) && !this.refuses(body);
        bad.push(`${index} ${isOnlyId ? "external_id" : "email"}`);
      } else skipped.push(index);
    }
    if (bad.length > 0) return reject("validation_error", ...bad);
    const people = fresh.map((body) => this.add(body));
    const updated = known.map(({ person }) => person);
    const changes = this.updatesIn(updated, () => {
      for (const { person, body } of known) this.update(person, body);
    });
    this.changes.push([...people.map((person) => ({ type: "created", person })), ...changes]);
    return {
      status: 201,
      people,
      ...(onDuplicate === "update" && { updated }),
      ...(onDuplicate !== "error" && { skipped }),
    };
  }

  put(person: Person, patch: Partial<Body>): Outcome {
    const next = { ...person, ...patch };
    const stays = canonicalOf(next) === canonicalOf(person);
    const suppression = this.suppressions.get(canonicalOf(person));
    const asks = next.status === "pending" && person.status !== "pending";
    const other = this.find(next);
    const isTaken = other !== undefined && other !== person;
    if ((person.left && patch.status === "active") || (asks && stays && isFinal(suppression))) {
      // Of two reasons the contract does not say which answers.
      if (isTaken) return { status: 422, codes: ["validation_error", "email_already_subscribed"] };
      return reject("validation_error", "status");
    }
    if (!stays && next.status !== "unsubscribed" && this.suppressions.has(canonicalOf(next)))
      return reject("email_suppressed", "email");
    const holder = this.findById(patch);
    if (holder && holder !== person) return reject("validation_error", "external_id");
    if (isTaken) return reject("email_already_subscribed", "email");
    if (!stays && person.left) this.suppressOwn(person);
    if (asks && stays && suppression) suppression.asked = true;
    if (next.status === "pending" && (asks || !stays)) next.mails++;
    this.noteUpdates([person], () => Object.assign(person, next));
    return { status: 200, people: [person] };
  }

  unsubscribe(person: Person): Outcome {
    if (person.status !== "unsubscribed") this.note("unsubscribed", [person]);
    Object.assign(person, { status: "unsubscribed", left: true });
    return { status: 200, people: [person] };
  }

  /** Only the suppressed address of an erased person is left. */
  erase(person: Person): Outcome {
    this.people.splice(this.people.indexOf(person), 1);
    this.note("erased", [person]);
    const known = this.suppressions.get(canonicalOf(person));
    if (person.left) this.suppressOwn(person);
    else if (known) known.email = null;
    else this.suppressions.set(canonicalOf(person), { ...withoutAddress, reason: "manual", source: "api" });
    return { status: 200, people: [{ ...person, status: "unsubscribed" }] };
  }

  suppress(items: { email: string; reason: string }[]): Outcome {
    const canonicals = items.map(canonicalOf);
    const repeats = canonicals.flatMap((one, index) =>
      canonicals.indexOf(one) < index ? [`${index} email`] : [],
    );
    if (repeats.length > 0) return reject("validation_error", ...repeats);
    const leaving: Person[] = [];
    for (const item of items) {
      const person = this.find(item);
      if (person && person.status !== "unsubscribed") leaving.push(person);
      if (person) Object.assign(person, { status: "unsubscribed", left: true });
      const known = this.suppressions.get(canonicalOf(item));
      if (!known) this.suppressions.set(canonicalOf(item), { ...item, source: "api", asked: false });
      else if (isStronger(item.reason, known.reason)) Object.assign(known, item);
    }
    this.note("unsubscribed", leaving);
    return { status: 201 };
  }

  lift(canonical: string): Outcome {
    const suppression = this.suppressions.get(canonical);
    const isOnTheList = suppression?.email && this.find({ email: canonical })?.left;
    if (suppression?.source === "person" || isOnTheList) return reject("validation_error", "id");
    this.suppressions.delete(canonical);
    return { status: 200 };
  }

  private refuses(body: Body): boolean {
    const suppression = this.suppressions.get(canonicalOf(body));
    return suppression !== undefined && (body.status !== "pending" || isFinal(suppression));
  }

  /** Whether the address belongs to another person than the external id. */
  private isOfAnother(person: Person, body: Body): boolean {
    return (this.find(body) ?? person) !== person;
  }

  /** Whether the person would get a suppressed address. */
  private refusesMove(person: Person, body: Body): boolean {
    if (canonicalOf(person) === canonicalOf(body)) return false;
    return this.statusAfter(person, body) !== "unsubscribed" && this.suppressions.has(canonicalOf(body));
  }

  private add({ email, name = "", status = "active", external_id = null }: Body): Person {
    const suppression = this.suppressions.get(canonicalOf({ email }));
    if (suppression) suppression.asked = true;
    const mails = status === "pending" ? 1 : 0;
    const person: Person = { email, name, status, external_id, mails, left: suppression !== undefined };
    this.people.push(person);
    return person;
  }

  /** The status after on_duplicate=update. Moves that are not allowed are left out. */
  private statusAfter(person: Person, { status }: Body): Status {
    if (status === undefined || person.status === "active") return person.status;
    const suppression = this.suppressions.get(canonicalOf(person));
    const isRefused = status === "active" ? person.left || suppression : isFinal(suppression);
    return isRefused ? person.status : status;
  }

  /** Applies on_duplicate=update. */
  private update(person: Person, body: Body): void {
    const status = this.statusAfter(person, body);
    const suppression = this.suppressions.get(canonicalOf(person));
    const stays = canonicalOf(person) === canonicalOf(body);
    const moves = person.status !== status;
    if (moves && stays && suppression) suppression.asked = true;
    if (!stays && person.left) this.suppressOwn(person);
    if (status === "pending" && (moves || !stays)) person.mails++;
    if (body.name !== undefined) person.name = body.name;
    if (body.external_id !== undefined) person.external_id = body.external_id;
    if (!stays) person.email = body.email;
    if (!stays) Newsletter.readdressed++;
    person.status = status;
  }

  /** Suppresses the old address of a person who left, as their own opt-out. */
  private suppressOwn(person: Person): void {
    const known = this.suppressions.get(canonicalOf(person));
    const reason = known && isStronger(known.reason, "unsubscribed") ? known.reason : "unsubscribed";
    this.suppressions.set(canonicalOf(person), {
      ...withoutAddress,
      asked: known?.asked ?? false,
      reason,
      source: "person",
    });
  }

  private note(type: string, people: Person[]): void {
    this.changes.push(people.map((person) => ({ type, person })));
  }

  private noteUpdates(people: Person[], work: () => void): void {
    this.changes.push(this.updatesIn(people, work));
  }

  /** Runs `work`. @returns a change of each person whose record differs afterwards */
  private updatesIn(people: Person[], work: () => void): { type: string; person: Person }[] {
    const before = people.map(stateOf);
    work();
    const changed = people.filter((person, i) => stateOf(person) !== before[i]);
    return changed.map((person) => ({ type: "updated", person }));
  }
}

const withoutAddress = { email: null, asked: false };
