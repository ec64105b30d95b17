import { expect, test } from "vitest";
import { openSendRate } from "./send-rate";

test("as many requests start at once as may in a second, and the next waits", async () => {
  const rate = openSendRate(2, async () => 0);
  expect([await rate.take(), await rate.take()]).toEqual(["go", "go"]);
  expect(rate.waitMs()).toBeGreaterThan(900);
});

test("never more than allowed start in any second", async () => {
  const rate = openSendRate(2, async () => 0);
  const starts: number[] = [];
  await Promise.all(Array.from({ length: 6 }, () => rate.take().then(() => starts.push(performance.now()))));
  for (const [i, start] of starts.slice(2).entries()) expect(start - (starts[i] ?? 0)).toBeGreaterThan(1_000);
});

test("asking whether it is time takes nobody's turn", async () => {
  const rate = openSendRate(1, async () => 0);
  expect([await rate.ready(), await rate.ready(), await rate.take()]).toEqual(["go", "go", "go"]);
  expect(rate.waitMs()).toBeGreaterThan(900);
});

test("a long pause is not waited out, and a shorter one never shortens it", async () => {
  const rate = openSendRate(1_000, async () => 0);
  rate.pause(60_000);
  rate.pause(10);
  expect(await rate.take()).toBe("later");
  expect(rate.waitMs()).toBeGreaterThan(50_000);
});

test("an answer that leaves no requests pauses until the window ends, and one that leaves some does not", async () => {
  const rate = openSendRate(1_000, async () => 0);
  rate.observe({ remaining: 3, resetMs: 800 });
  expect(rate.waitMs()).toBe(0);
  rate.observe({ remaining: 0, resetMs: 800 });
  expect(rate.waitMs()).toBeGreaterThan(700);
});

test("stopping ends a wait at once", async () => {
  const rate = openSendRate(1, async () => 0);
  rate.pause(4_000);
  const waiting = rate.take();
  rate.stop();
  expect(await waiting).toBe("stopped");
  expect(await rate.ready()).toBe("stopped");
});
