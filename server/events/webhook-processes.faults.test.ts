import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { addNewsletter } from "../test/linked-person";
import { spawnFixture, until } from "../test/mail-fixture";
import { openWebhookStage } from "../test/webhook-stage";
import { webhookEvents } from "./schema/webhooks";
import { createEndpoint } from "./webhooks";

/** WEBHOOK_EVENTS=10000 is the full run; a process is killed as often as there are thousands, and once in each. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS || 300);
const KILLS = Math.max(1, Math.floor(EVENTS / 1_000));
const WRITERS = 4;

let stage: Awaited<ReturnType<typeof openWebhookStage>>;
/** The numbers that the endpoint took, in the order in which they came, and whom each was about. */
const taken: { number: number; person: string }[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  stage = await openWebhookStage(({ body }) => {
    const { number, data } = JSON.parse(body);
    taken.push({ number, person: data.subscriber.id });
    return { status: 204 };
  });
}, 120_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await stage.close();
});

test(`${EVENTS} events of ${WRITERS} writers, by processes that are killed ${KILLS} times: each at least once, in order, none lost`, async () => {
  const { app, url, databaseUrl } = stage;
  const newsletter = await addNewsletter(app.db);
  const ctx = { ...app, actor: { kind: "operator" }, requestId: "test" } as const;
  const endpoint = { url, description: "", events: [...webhookEvents] };
  await createEndpoint(ctx, {
    newsletterId: newsletter.id,
    accountId: newsletter.accountId,
    endpoint,
  });
  const options = { databaseUrl, authSecrets: app.authSecrets };
  const spawn = () => spawnFixture(children, "webhook-process-fixture", options);
  let child = await spawn();

  let left = EVENTS;
  const ids: string[] = [];
  const write = async () => {
    while (left-- > 0) {
      const id = newId();
      ids.push(id);
      const email = `${id}@lovelace.org`;
      await app.db.subscriber.create({
        data: {
          ...{ id, newsletterId: newsletter.id, email, emailCanonical: email },
          ...{ status: "active", source: "api" },
        },
      });
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(() => taken.length >= (EVENTS * kill) / (KILLS + 1), "a part of them");
    child.kill("SIGKILL");
    child = await spawn();
  }
  await writing;
  await until(() => new Set(taken.map(({ number }) => number)).size >= EVENTS, "all of them");

  const first = [...new Map(taken.map((one) => [one.number, one])).values()];
  expect(first.map(({ number }) => number)).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1));
  expect(first.map(({ person }) => person).sort()).toEqual(ids.toSorted());
  // A process killed between an answer and its record sends that message again, and no other message twice.
  expect(taken.length - EVENTS).toBeLessThanOrEqual(KILLS);
}, 900_000);
