import type { SubscriberRecord } from "../contract/subscriber";
import type { WebhookEvent } from "../contract/webhooks";
import { readSubscribers } from "../db/subscribers";
import {
  type EndpointPlace,
  emptyMessages,
  insertMessages,
  listEventsAfter,
  type NewMessage,
  type StoredEndpoint,
} from "../db/webhook-endpoints";
import { LOWEST_ID, newId } from "../domain/ids";
import { AppError } from "../errors";
import { includeAttributes } from "./attributes";
import { type ChangePage, listChanges } from "./changes";
import { type Ctx, withTransaction } from "./context";
import { formatTime, presentSubscriber } from "./subscribers";

/** Read at a time. */
const PAGE = 100;
const everything = { fields: true, tags: true };

type Told = { subscriber: SubscriberRecord } | { subscriber_id: string } | Record<string, unknown>;

function messageOf(type: WebhookEvent, at: Date, subscriberId: string | null, data: Told): NewMessage {
  const timestamp = formatTime(at);
  return {
    id: newId(),
    type,
    subscriberId,
    at,
    body: (number) => JSON.stringify({ type, timestamp, number, data }),
  };
}

/** What is told, where it stands in the order of transactions, and the place of who has read it. */
type Read = { xid: bigint; message: NewMessage; place: Partial<EndpointPlace> };

/**
 * The changes after the endpoint's place, at most a page.
 * @returns isLost: they are not kept any more, or of another database; `next` is the present then
 */
async function readChanges(
  { db }: Pick<Ctx, "db">,
  { newsletterId, epoch, xid, subscriberId }: StoredEndpoint,
): Promise<{ changes: Read[]; next: ChangePage["next"]; isLost: boolean }> {
  const after = { epoch, xid: String(xid), id: subscriberId };
  try {
    const page = await listChanges({ db }, newsletterId, { after, limit: PAGE, include: everything });
    const changes = page.records.map(({ type, at, subscriber_id: id, subscriber }, index) => {
      const told = subscriber ? { subscriber } : { subscriber_id: id };
      const xid = BigInt(page.xids[index] as string);
      return {
        xid,
        message: messageOf(`subscriber.${type}`, new Date(at), id, told),
        place: { xid, subscriberId: id },
      };
    });
    return { changes, next: page.next, isLost: false };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "validation_error")) throw error;
    const { next } = await listChanges({ db }, newsletterId, { after: "now", limit: PAGE });
    return { changes: [], next, isLost: true };
  }
}

/** The events that are no changes, with whom they are about as they are now; at most a page. */
async function readEvents({ db }: Pick<Ctx, "db">, endpoint: StoredEndpoint): Promise<Read[]> {
  const rows = await listEventsAfter(db, endpoint, PAGE);
  const ids = rows.flatMap(({ subscriberId }) => subscriberId ?? []);
  const rowsOf = ids.length > 0 ? await readSubscribers(db, endpoint.newsletterId, ids) : [];
  const records = await includeAttributes({ db }, endpoint.newsletterId, {
    records: rowsOf.map((row) => presentSubscriber(row, row.createdAt)),
    include: everything,
  });
  const people = new Map(records.map((person) => [person.id, person]));
  return rows.map(({ xid, id, type, at, subscriberId, detail }) => {
    const subscriber = subscriberId === null ? undefined : people.get(subscriberId);
    const whom = subscriber ? { subscriber } : subscriberId === null ? {} : { subscriber_id: subscriberId };
    // What is told of an erased person is their id alone.
    const told = subscriber || subscriberId === null ? { ...whom, ...detail } : whom;
    return { xid, message: messageOf(type, at, subscriberId, told), place: { eventXid: xid, eventId: id } };
  });
}

/**
 * Both in the order of their transactions, within one the changes first: an import has finished once its people were told. Of a
 * full page more may follow, so that what is later than its last, or of the same transaction, waits for that.
 */
function merge(changes: Read[], events: Read[]): Read[] {
  const lastChange = changes.length === PAGE ? changes.at(-1)?.xid : undefined;
  const lastEvent = events.length === PAGE ? events.at(-1)?.xid : undefined;
  return [
    ...changes.filter(({ xid }) => lastEvent === undefined || xid <= lastEvent),
    ...events.filter(({ xid }) => lastChange === undefined || xid < lastChange),
  ].sort((one, other) => Number(one.xid - other.xid));
}

/**
 * Puts what has happened since in an endpoint's line, numbered.
 * @returns whether there may be something to deliver, or more to be read
 */
export async function numberMessages(ctx: Pick<Ctx, "db">, endpoint: StoredEndpoint): Promise<boolean> {
  // Events first: the second statement sees all changes of their transactions, and of those before.
  const events = await readEvents(ctx, endpoint);
  const { changes, next: end, isLost } = await readChanges(ctx, endpoint);
  const read = merge(changes, isLost ? [] : events);
  const { xid, subscriberId, eventXid, eventId } = endpoint;
  const next: EndpointPlace = Object.assign(
    { epoch: end.epoch, xid, subscriberId, eventXid, eventId },
    ...read.map(({ place }) => place),
    // All changes that there are were read, or as many as a page has.
    changes.every((change) => read.includes(change)) && { xid: BigInt(end.xid), subscriberId: end.id },
    isLost && { eventXid: BigInt(end.xid), eventId: LOWEST_ID },
  );
  const hasMoved = (Object.keys(next) as (keyof EndpointPlace)[]).some(
    (part) => next[part] !== endpoint[part],
  );
  if (!hasMoved) return false;
  const messages = read.map(({ message }) => message);
  const erased = messages.flatMap(({ type, subscriberId: whom }) =>
    type === "subscriber.erased" && whom ? [whom] : [],
  );
  const wanted = messages.filter(({ type }) => endpoint.events.includes(type));
  const isMoved = await withTransaction(ctx, async (tx) => {
    // Who was read while they were erased: their earlier messages are in line by now.
    await emptyMessages(tx, endpoint.newsletterId, erased);
    return insertMessages(tx, endpoint, wanted, next);
  });
  return isMoved && read.length > 0;
}
