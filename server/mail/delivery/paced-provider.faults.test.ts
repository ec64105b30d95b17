import { expect, onTestFinished, test } from "vitest";
import { Stopping } from "../../platform/jobs/jobs";
import { paceProvider } from "./paced-provider";
import type { Provider } from "./provider";

/** A provider that accepts all, and allows the next request after this pause. */
function open({ requestsPerSecond = 2, pauseMs = 0 } = {}) {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const provider: Provider = {
    deliver: async () => ({ outcome: { kind: "accepted", ids: [], rejections: [] }, pauseMs }),
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
  const some = open();
  await some.send();
  expect(some.paced.waitMs()).toBe(0);
  const none = open({ pauseMs: 800 });
  await none.send();
  expect(none.paced.waitMs()).toBeGreaterThan(700);
});

test("a long pause is reported instead of waited for", async () => {
  const { paced, send } = open({ pauseMs: 9_000 });
  await send();
  expect(await paced.takeTurn()).toBe(false);
  expect(await paced.waitForTurn()).toBeGreaterThan(8_000);
});

test("closing ends a wait at once", async () => {
  const { paced, closing, send } = open({ pauseMs: 4_000 });
  await send();
  const waiting = [paced.takeTurn(), paced.waitForTurn()] as const;
  const began = performance.now();
  closing.abort();
  expect(await waiting[0]).toBe(false);
  await expect(waiting[1]).rejects.toThrow(Stopping);
  expect(performance.now() - began).toBeLessThan(1_000);
});
