import { expect, test } from "vitest";
import { openPacer } from "./pacer";

test("as many requests start at once as may in a second, and the next waits", async () => {
  const pacer = openPacer(2);
  expect([await pacer.take(), await pacer.take()]).toEqual(["go", "go"]);
  expect(pacer.waitMs()).toBeGreaterThan(900);
});

test("never more than allowed start in any second", async () => {
  const pacer = openPacer(2);
  const starts: number[] = [];
  await Promise.all(Array.from({ length: 6 }, () => pacer.take().then(() => starts.push(performance.now()))));
  for (const [i, start] of starts.slice(2).entries()) expect(start - (starts[i] ?? 0)).toBeGreaterThan(1_000);
});

test("asking whether it is time takes nobody's turn", async () => {
  const pacer = openPacer(1);
  expect([await pacer.ready(), await pacer.ready(), await pacer.take()]).toEqual(["go", "go", "go"]);
  expect(pacer.waitMs()).toBeGreaterThan(900);
});

test("a long pause is not waited out, and a shorter one never shortens it", async () => {
  const pacer = openPacer(1_000);
  pacer.pause(60_000);
  pacer.pause(10);
  expect(await pacer.take()).toBe("later");
  expect(pacer.waitMs()).toBeGreaterThan(50_000);
});

test("an answer that leaves no requests pauses until the window ends, and one that leaves some does not", async () => {
  const pacer = openPacer(1_000);
  pacer.observe({ remaining: 3, resetMs: 800 });
  expect(pacer.waitMs()).toBe(0);
  pacer.observe({ remaining: 0, resetMs: 800 });
  expect(pacer.waitMs()).toBeGreaterThan(700);
});

test("stopping ends a wait at once", async () => {
  const pacer = openPacer(1);
  pacer.pause(4_000);
  const waiting = pacer.take();
  pacer.stop();
  expect(await waiting).toBe("stopped");
  expect(await pacer.ready()).toBe("stopped");
});
