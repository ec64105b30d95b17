import { afterAll, beforeAll, expect, test } from "vitest";
import { insertEvent } from "../events/queries/changes";
import { webhookEvents } from "../events/schema/webhooks";
import { runWebhooks } from "../events/webhook-delivery";
import { createEndpoint } from "../events/webhooks";
import { newId } from "../kernel/ids";
import { eraseSubscriber } from "../subscribers/erase-subscriber";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { openWebhookStage } from "../test/webhook-stage";
import { webhookSamples } from "./webhook-examples";

let stage: Awaited<ReturnType<typeof openWebhookStage>>;
const received: { type: string }[] = [];

beforeAll(async () => {
  stage = await openWebhookStage(({ body }) => {
    received.push(JSON.parse(body));
    return { status: 204 };
  });
}, 120_000);
afterAll(() => stage.close());

/** The members of a message and their types. The values in `fields` and `tags` are the newsletter's own. */
function shapeOf(value: unknown, name = ""): unknown {
  if (typeof value !== "object" || value === null || ["fields", "tags"].includes(name)) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner, key)]));
}

test("the sample of each event has the members of a real message", async () => {
  const { app, url } = stage;
  const { id: newsletterId, accountId } = await addNewsletter(app.db);
  const ctx = { ...app, actor: { kind: "operator" } as const, requestId: "test" };
  const endpoint = { url, description: "", events: [...webhookEvents] };
  await createEndpoint(ctx, { newsletterId, accountId, endpoint });
  const deliver = () => runWebhooks(app, { closing: new AbortController().signal, stays: false });
  const { subscriberId: id } = await addLinkedPerson(app.db, newsletterId, { mailed: false });
  await app.db.subscriber.updateMany({ where: { id }, data: { externalId: "c-1" } });
  await deliver();
  for (const data of [
    { status: "active", confirmedAt: new Date() },
    { firstName: "Ada" },
    { status: "unsubscribed", unsubscribedAt: new Date() },
  ]) {
    await app.db.subscriber.updateMany({ where: { id }, data: { ...data, version: { increment: 1 } } });
    await deliver();
  }
  const person = { newsletterId, subscriberId: id };
  await insertEvent(app.db, { ...person, kind: "bounced", detail: { reason: "No such user" } });
  await insertEvent(app.db, { ...person, kind: "complained", detail: {} });
  const done = { import: { id: newId(), number: 7, added: 300, unsubscribed: 2 } };
  await insertEvent(app.db, { newsletterId, subscriberId: null, kind: "import.finished", detail: done });
  await deliver();
  await eraseSubscriber(ctx, { newsletterId, accountId, id, include: undefined });
  await deliver();
  const byType = (messages: { type: string }[]) =>
    Object.fromEntries(messages.map((message) => [message.type, shapeOf(message)]));
  expect(byType(webhookSamples)).toEqual(byType(received));
  expect(webhookSamples).toHaveLength(webhookEvents.length);
});
