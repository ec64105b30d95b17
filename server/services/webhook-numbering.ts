import type { ChangeRecord } from "../contract/changes";
import type { SubscriberRecord } from "../contract/subscriber";
import type { WebhookEvent } from "../contract/webhooks";
import { readSubscribers } from "../db/subscribers";
import {
  type EndpointPlace,
  emptyMessages,
  findEndpoint,
  insertMessages,
  listEventsAfter,
  type NewMessage,
  type StoredEndpoint,
} from "../db/webhook-endpoints";
import { newId } from "../domain/ids";
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

const tellChange = ({ type, at, subscriber_id, subscriber }: ChangeRecord): NewMessage =>
  messageOf(
    `subscriber.${type}`,
    new Date(at),
    subscriber_id,
    subscriber ? { subscriber } : { subscriber_id },
  );

/** The changes after the endpoint's place; from now on where those are not kept any more. */
async function readChanges({ db }: Pick<Ctx, "db">, endpoint: StoredEndpoint): Promise<ChangePage> {
  const { newsletterId, epoch, xid, subscriberId } = endpoint;
  const after = { epoch, xid: String(xid), id: subscriberId };
  try {
    return await listChanges({ db }, newsletterId, { after, limit: PAGE, include: everything });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "validation_error")) throw error;
    return listChanges({ db }, newsletterId, { after: "now", limit: PAGE });
  }
}

/** The events that are no changes, with whom they are about as they are now. */
async function readEvents({ db }: Pick<Ctx, "db">, endpoint: StoredEndpoint) {
  const rows = await listEventsAfter(db, endpoint, PAGE);
  const ids = rows.flatMap(({ subscriberId }) => subscriberId ?? []);
  const rowsOf = ids.length > 0 ? await readSubscribers(db, endpoint.newsletterId, ids) : [];
  const records = await includeAttributes({ db }, endpoint.newsletterId, {
    records: rowsOf.map((row) => presentSubscriber(row, row.createdAt)),
    include: everything,
  });
  const people = new Map(records.map((person) => [person.id, person]));
  const messages = rows.map(({ type, at, subscriberId, detail }) => {
    const subscriber = subscriberId === null ? undefined : people.get(subscriberId);
    const whom = subscriber ? { subscriber } : subscriberId === null ? {} : { subscriber_id: subscriberId };
    // What is told of an erased person is their id alone.
    return messageOf(
      type,
      at,
      subscriberId,
      subscriber || subscriberId === null ? { ...whom, ...detail } : whom,
    );
  });
  const last = rows.at(-1);
  const place = last ? { eventXid: last.xid, eventId: last.id } : {};
  return { messages, place };
}

/**
 * Puts what has happened since in an endpoint's line, numbered: changes first, then other events.
 * @returns whether there may be something to deliver, or more to be read
 */
export async function numberMessages(ctx: Pick<Ctx, "db">, { id }: { id: string }): Promise<boolean> {
  const endpoint = await findEndpoint(ctx.db, { id });
  if (!endpoint) return false;
  const [changes, events] = [await readChanges(ctx, endpoint), await readEvents(ctx, endpoint)];
  const wanted = [...changes.records.map(tellChange), ...events.messages].filter(({ type }) =>
    endpoint.events.includes(type),
  );
  const { epoch, xid, id: subscriberId } = changes.next;
  const { eventXid, eventId } = endpoint;
  const next: EndpointPlace = {
    epoch,
    xid: BigInt(xid),
    subscriberId,
    eventXid,
    eventId,
    ...events.place,
  };
  const erased = changes.records.filter(({ type }) => type === "erased");
  const hasMoved = (Object.keys(next) as (keyof EndpointPlace)[]).some(
    (part) => next[part] !== endpoint[part],
  );
  if (!hasMoved) return false;
  const isMoved = await withTransaction(ctx, async (tx) => {
    // Who was read while they were erased: their earlier messages are in line by now.
    await emptyMessages(
      tx,
      erased.map(({ subscriber_id }) => subscriber_id),
    );
    return insertMessages(tx, endpoint, wanted, next);
  });
  return isMoved && changes.records.length + events.messages.length > 0;
}
