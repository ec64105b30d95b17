import { expect, onTestFinished, test } from "vitest";
import { Stopping } from "../../platform/jobs/jobs";
import { paceProvider } from "./paced-provider";
import type { Provider, Rate } from "./provider";

/** A provider that accepts all, with answers that leave this much of its limit. */
function open({ requestsPerSecond = 2, rate = { remaining: null, resetMs: null } as Rate } = {}) {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const provider: Provider = {
    deliver: async () => ({ outcome: { kind: "accepted", ids: [], rejections: [] }, rate }),
  };
  const paced = paceProvider({
    ...{ provider, requestsPerSecond, closing: closing.signal },
    ...{ reserve: async () => 0, backoffMs: 100 },
  });
  return { paced, closing, send: () => paced.send({ id: "1", payload: "[]" }) };
}

test("requests start at least half a second apart; asking takes no turn", async () => {
  const { paced } = open();
  const starts: number[] = [];
  for (let i = 0; i < 3; i++) {
    expect(await paced.waitForTurn()).toBe(0);
    expect(await paced.waitForTurn()).toBe(0);
    expect(await paced.takeTurn()).toBe(true);
    starts.push(performance.now());
  }
  for (const [i, start] of starts.slice(1).entries()) expect(start - (starts[i] ?? 0)).toBeGreaterThan(500);
});

test("an answer that leaves no requests pauses until the window ends, and one that leaves some does not", async () => {
  const some = open({ rate: { remaining: 3, resetMs: 800 } });
  await some.send();
  expect(some.paced.waitMs()).toBe(0);
  const none = open({ rate: { remaining: 0, resetMs: 800 } });
  await none.send();
  expect(none.paced.waitMs()).toBeGreaterThan(700);
});

test("a long pause is reported instead of waited for", async () => {
  const { paced, send } = open({ rate: { remaining: 0, resetMs: 9_000 } });
  await send();
  expect(await paced.takeTurn()).toBe(false);
  expect(await paced.waitForTurn()).toBeGreaterThan(8_000);
});

test("closing ends a wait at once", async () => {
  const { paced, closing, send } = open({ rate: { remaining: 0, resetMs: 4_000 } });
  await send();
  const waiting = [paced.takeTurn(), paced.waitForTurn()] as const;
  const began = performance.now();
  closing.abort();
  expect(await waiting[0]).toBe(false);
  await expect(waiting[1]).rejects.toThrow(Stopping);
  expect(performance.now() - began).toBeLessThan(1_000);
});
