import { describe, expect, it } from "vitest";
import { type Answer, BULK } from "./client";
import { create, createMany, each, type Stage } from "./stage";

/** In `npm test` a tenth of what CONTRACT_ROUNDS=100 plays. */
const ROUNDS = Number(process.env.CONTRACT_ROUNDS ?? 10);
const CLIENTS = 50;
const RING = 60;

/** Every second client uses the other process. */
const through = (stage: Stage, client: number): Stage =>
  client % 2 ? { ...stage, mount: stage.other } : stage;

/** On a slow machine a request may find no free connection for seconds. Its 503 says that nothing was changed. */
async function createWhenServed(...request: Parameters<typeof create>): Promise<Answer> {
  const answer = await create(...request);
  return answer.status === 503 ? createWhenServed(...request) : answer;
}

/** contract.md §4: "A lost race gives the same answers, never a 500". */
export function racesSuite(stage: Stage): void {
  describe("a race", () => {
    it("of 200 creates of one address over two processes has one winner and one mail", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      for (const status of ["pending", "active"]) {
        const email = `${status}@example.org`;
        const answers = await each(Array(200).fill(email), 200, (_, i) =>
          createWhenServed(through(stage, i), key, { email, status }),
        );
        const losers = answers.filter((answer) => answer.status !== 201);
        expect(losers).toHaveLength(199);
        const texts = new Set(losers.map((answer) => `${answer.status} ${answer.text}`));
        expect([...texts]).toEqual([`422 ${losers[0]?.text}`]);
        expect([losers[0]?.status, losers[0]?.json.code]).toEqual([422, "email_already_subscribed"]);
      }
      expect(await stage.at.list(newsletterId)).toHaveLength(2);
      expect((await stage.at.mails(newsletterId)).map((mail) => mail.to)).toEqual(["pending@example.org"]);
    });

    it(`of ${CLIENTS} bulks that overlap in opposite order, ${ROUNDS} times over two processes: each is whole or not at all`, {
      timeout: 60_000 + ROUNDS * 3_000,
    }, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { key, newsletterId } = await stage.at.tenant();
        // Client i wants ten places of a ring from place i on; its name on a row tells whose the row is.
        const wanted = (client: number) => {
          const places = Array.from({ length: 10 }, (_, i) => (client + i) % RING);
          if (client % 2) places.reverse();
          return places.map((place) => ({
            email: `p${place}@example.org`,
            name: `client${client}`,
            status: place % 3 ? "active" : "pending",
          }));
        };
        const skips = (client: number) => client % 5 === 0;
        const answers = await each(Array(CLIENTS).fill(0), CLIENTS, (_, client) =>
          createMany(through(stage, client >> 1), key, wanted(client), {
            ...(skips(client) && { path: `${BULK}?on_duplicate=skip` }),
          }),
        );
        const list = await stage.at.list(newsletterId);
        for (const [client, answer] of answers.entries()) {
          const own = list.filter((row) => row.first === `client${client}`).map((row) => row.email);
          expect(own.sort()).toEqual(acknowledged(answer).sort());
          if (skips(client))
            expect(answer.json.data.created.length + answer.json.data.skipped.length).toBe(10);
          else expect([0, 10]).toContain(own.length);
        }
        const pending = list.filter((row) => row.status === "pending").map((row) => row.email);
        expect((await stage.at.mails(newsletterId)).map((mail) => mail.to).sort()).toEqual(pending.sort());
      }
    });
  });
}

/** The addresses that an answer says are on the list because of it; any other answer must be a plain rejection. */
function acknowledged({ status, json }: Answer): string[] {
  if (status === 201)
    return (json.data.created ?? [json.data]).map((record: { email: string }) => record.email);
  expect([status, ["validation_error", "email_already_subscribed"].includes(json.code)]).toEqual([422, true]);
  for (const item of json.items ?? []) expect(item.code).toBe("already_subscribed");
  return [];
}
