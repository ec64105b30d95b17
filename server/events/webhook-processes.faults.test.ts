import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { addNewsletter } from "../test/linked-person";
import { spawnFixture, until } from "../test/mail-fixture";
import { openWebhookStage } from "../test/webhook-stage";
import { webhookEvents } from "./schema/webhooks";
import { createEndpoint } from "./webhooks";

const EVENTS = 300;
const WRITERS = 4;

let stage: Awaited<ReturnType<typeof openWebhookStage>>;
/** The numbers that the endpoint took, in the order in which they came, and the person of each. */
const taken: { number: number; person: string }[] = [];

beforeAll(async () => {
  stage = await openWebhookStage(({ body }) => {
    const { number, data } = JSON.parse(body);
    taken.push({ number, person: data.subscriber.id });
    return { status: 204 };
  });
}, 120_000);
afterAll(() => stage.close());

test(`${EVENTS} events of ${WRITERS} writers, by processes of which one is killed: each at least once, in order, none lost`, async () => {
  const { app, url, databaseUrl } = stage;
  const newsletter = await addNewsletter(app.db);
  const ctx = { ...app, actor: { kind: "operator" }, requestId: "test" } as const;
  const endpoint = { url, description: "", events: [...webhookEvents] };
  const owner = { newsletterId: newsletter.id, accountId: newsletter.accountId };
  await createEndpoint(ctx, { ...owner, endpoint });
  const options = { databaseUrl, authSecrets: app.authSecrets };
  const child = await spawnFixture("webhook-process-fixture", options);

  let left = EVENTS;
  const ids: string[] = [];
  const write = async () => {
    while (left-- > 0) {
      const id = newId();
      ids.push(id);
      const email = `${id}@lovelace.org`;
      const row = { id, newsletterId: newsletter.id, email, emailCanonical: email };
      await app.db.subscriber.create({ data: { ...row, status: "active", source: "api" } });
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  await until(() => taken.length >= EVENTS / 2, "a part of them");
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  // A dead worker's job is detected after 10 s without a heartbeat.
  await app.db
    .$executeRaw`UPDATE pgboss.job SET heartbeat_on = now() - interval '11 s' WHERE state = 'active'`;
  await spawnFixture("webhook-process-fixture", options);
  await writing;
  await until(() => new Set(taken.map(({ number }) => number)).size >= EVENTS, "all of them");

  const first = [...new Map(taken.map((one) => [one.number, one])).values()];
  expect(first.map(({ number }) => number)).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1));
  expect(first.map(({ person }) => person).sort()).toEqual(ids.toSorted());
  // A process killed between an answer and its record sends that message again, and no other message twice.
  expect(taken.length - EVENTS).toBeLessThanOrEqual(1);
}, 300_000);
