import { describe, expect, it } from "vitest";
import {
  ConnectionError,
  type RequestOptions,
  type Retry,
  type Rollcall,
  type Subscriber,
} from "../../../clients/js/index.js";
import { people } from "../../contract/stage";
import {
  all,
  at,
  atGate,
  breaks,
  clientOf,
  errorOf,
  fails,
  gate,
  loses,
  rollcall,
  type Turn,
  tenant,
} from "./client-stage";

/** The repeats of requests that failed. */
export function repeatsSuite(): void {
  describe("a repeat", () => {
    const createAda = (client: Rollcall) =>
      client.subscribers.create({ email: "ada@example.org", status: "pending" });
    const keysOf = () => new Set(gate.asked.map(({ headers }) => headers["idempotency-key"]));

    it("after a lost response creates nothing twice, because it has the same idempotency key", async () => {
      gate.turns = [loses, loses, fails(502)];
      const ada = await createAda(atGate());
      expect(gate.asked).toHaveLength(4);
      expect(keysOf().size).toBe(1);
      expect([...keysOf()][0]).toMatch(/^[0-9a-f-]{36}$/);
      expect(await at.list(tenant.newsletterId)).toMatchObject([{ id: ada.id }]);
      expect(await at.mails(tenant.newsletterId)).toHaveLength(1);
      await rollcall.subscribers.create({ email: "bob@example.org" });
      gate.turns = [loses];
      const suppressed = await atGate().suppressions.create([{ email: "eve@example.org", reason: "manual" }]);
      expect(await all(rollcall.suppressions.list())).toEqual(suppressed);
      gate.turns = [loses];
      const all100 = await all(atGate().subscribers.createAll(people(150), {}, { idempotencyKey: "sync" }));
      expect(all100.map(({ created }) => created.length)).toEqual([100, 50]);
      expect(gate.asked.slice(-3).map(({ headers }) => headers["idempotency-key"])).toEqual([
        "sync-1",
        "sync-1",
        "sync-2",
      ]);
    });

    it("with the caller's own key gets the first result, also from another client", async () => {
      const options = { idempotencyKey: "order-7" };
      const first = await rollcall.subscribers.create({ email: "ada@example.org" }, {}, options);
      const replays: (string | null)[] = [];
      const onResponse = ({ headers }: Response) => replays.push(headers.get("idempotency-replayed"));
      const again = clientOf(tenant.key).subscribers.create(
        { email: "ada@example.org" },
        {},
        { ...options, onResponse },
      );
      expect(await again).toEqual(first);
      expect(replays).toEqual(["true"]);
    });

    it.each([429, 503])("waits for Retry-After, in seconds or as a date, after %i", async (status) => {
      const retries: Retry[] = [];
      const client = atGate({ onRetry: (retry) => retries.push(retry) });
      gate.turns = [fails(status, { "Retry-After": "1" })];
      await client.segments.list();
      const [first, second] = gate.asked;
      // Timers can fire a millisecond early.
      expect(second?.atMs).toBeGreaterThanOrEqual((first?.atMs ?? 0) + 990);
      const date = new Date(Date.now() + 2000).toUTCString();
      gate.turns = [fails(status, { "Retry-After": date })];
      await client.segments.list();
      expect(gate.asked[3]?.atMs).toBeGreaterThanOrEqual(Date.parse(date) - 10);
      const expected = { error: { status }, attempt: 1, method: "GET", path: "/segments" };
      expect(retries).toMatchObject([expected, expected]);
    });

    it("waits longer each time without Retry-After, and differently in each client", async () => {
      const waits = async () => {
        const found: number[] = [];
        gate.turns = Array(3).fill(fails(503));
        await atGate({ onRetry: ({ waitMs }) => found.push(waitMs) }).segments.list();
        return found;
      };
      const [first, second] = [await waits(), await waits()];
      for (const found of [first, second])
        found.forEach((waitMs, i) => {
          expect(waitMs).toBeGreaterThanOrEqual(125 * 2 ** i);
          expect(waitMs).toBeLessThanOrEqual(250 * 2 ** i);
        });
      expect(first).not.toEqual(second);
    });

    it("waits out the product's own rate limit", async () => {
      const seen = new Set<number>();
      const client = clientOf(tenant.key, { onResponse: ({ status }) => seen.add(status) });
      const results = await Promise.all(Array.from({ length: 3 }, () => client.me()));
      expect(results.map(({ newsletter }) => newsletter?.id)).toEqual(Array(3).fill(tenant.newsletterId));
      expect(seen).toEqual(new Set([200, 429]));
    });

    it("is not made after another error, a too long Retry-After, or too many failures", async () => {
      const attemptsOf = async (
        call: (client: Rollcall) => Promise<unknown>,
        options: RequestOptions = {},
      ) => {
        gate.asked = [];
        const error = await errorOf(call(atGate(options)));
        gate.turns = [];
        return [error.status || error.code, gate.asked.length];
      };
      expect(await attemptsOf((client) => client.subscribers.get("nobody@example.org"))).toEqual([404, 1]);
      gate.turns = [fails(429, { "Retry-After": "121" })];
      expect(await attemptsOf((client) => client.segments.list())).toEqual([429, 1]);
      gate.turns = Array(9).fill(breaks);
      expect(await attemptsOf((client) => client.segments.list(), { maxRetries: 2 })).toEqual([
        "connection_failed",
        3,
      ]);
      gate.turns = Array(9).fill(fails(503));
      expect(await attemptsOf(createAda, { maxRetries: 1 })).toEqual([503, 2]);
      gate.turns = [fails(503)];
      expect(await attemptsOf((client) => client.segments.list({ maxRetries: 0 }))).toEqual([503, 1]);
      gate.turns = Array(9).fill(fails(503));
      const unset = { maxRetries: undefined, timeoutMs: undefined };
      expect(await attemptsOf((client) => client.segments.list(unset), { maxRetries: 1 })).toEqual([503, 2]);
    });

    it("is not made of a POST that could act twice, except after 429", async () => {
      gate.turns = [loses];
      const field = { key: "city", type: "text" as const };
      expect(await errorOf(atGate().fields.create(field))).toBeInstanceOf(ConnectionError);
      expect(gate.asked).toHaveLength(1);
      expect(await rollcall.fields.list()).toHaveLength(1);
      gate.turns = [fails(429, { "Retry-After": "0" })];
      expect(await atGate().fields.create({ ...field, key: "town" })).toMatchObject({ key: "town" });
      const { id } = await rollcall.subscribers.create({ email: "ada@example.org" });
      gate.turns = [loses, loses];
      expect((await atGate().subscribers.links(id)).id).toBe(id);
      expect((await atGate().subscribers.update(id, { name: "Ada" })).name).toBe("Ada");
    });

    it("ends when the signal aborts, while it waits and while the request runs", async () => {
      const stop = new AbortController();
      gate.turns = [fails(503, { "Retry-After": "60" })];
      const onRetry = () => stop.abort(new Error("shutting down"));
      await expect(atGate({ onRetry }).segments.list({ signal: stop.signal })).rejects.toThrow(
        "shutting down",
      );
      expect(gate.asked).toHaveLength(1);
      const second = new AbortController();
      gate.turns = [() => second.abort()];
      await expect(atGate().segments.list({ signal: second.signal })).rejects.toThrow(/abort/);
      await expect(atGate().segments.list({ signal: second.signal })).rejects.toThrow(/abort/);
    });

    it("follows a request without a response in time", async () => {
      gate.turns = [() => {}];
      expect(await atGate({ timeoutMs: 500 }).segments.list()).toEqual([]);
      gate.turns = [() => {}];
      const error = await errorOf(atGate({ timeoutMs: 300, maxRetries: 0 }).segments.list());
      expect([error.constructor, error.code]).toEqual([ConnectionError, "timeout"]);
    });

    it("of a stream is made only before its first part", async () => {
      await rollcall.subscribers.createMany(people(3));
      gate.turns = [fails(503), breaks];
      expect(await all(atGate().subscribers.stream())).toHaveLength(3);
      const cut: Turn = async (response, pass) => {
        const text = await (await pass()).text();
        response.writeHead(200, { "Content-Type": "application/x-ndjson" });
        response.write(text.slice(0, -30), () => response.socket?.destroy());
      };
      gate.turns = [cut];
      gate.asked = [];
      const got: Subscriber[] = [];
      const reading = (async () => {
        for await (const one of atGate().subscribers.stream()) got.push(one);
      })();
      expect(await errorOf(reading)).toBeInstanceOf(ConnectionError);
      expect([got.length, gate.asked.length]).toEqual([2, 1]);
      // A proxy that ends the response cleanly in the middle of a record.
      gate.turns = [
        async (response, pass) => {
          const text = await (await pass()).text();
          response.end(text.slice(0, -30));
        },
      ];
      expect(await errorOf(all(atGate().subscribers.stream()))).toBeInstanceOf(ConnectionError);
      gate.turns = [(response) => response.writeHead(200).flushHeaders()];
      const silent = await errorOf(all(atGate({ timeoutMs: 300, maxRetries: 0 }).subscribers.stream()));
      expect(silent.code).toBe("timeout");
    });
  });
}
