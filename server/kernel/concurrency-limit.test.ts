import { expect, test } from "vitest";
import { concurrencyLimit } from "./concurrency-limit";

test("runs two tasks at a time in order, lets one wait, and rejects the next", async () => {
  const limited = concurrencyLimit({ limit: 2, maxQueued: 1, busy: "Too many." });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const begin = (task: number) =>
    limited(() => {
      begun.push(task);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const tasks = [0, 1, 2].map(begin);
  await expect(begin(3)).rejects.toMatchObject({
    code: "service_unavailable",
    message: "Too many.",
    retryAfterSeconds: 5,
  });
  expect(begun).toEqual([0, 1]);
  ends[1]?.();
  await tasks[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end();
  await Promise.all(tasks);
});

test("starts the next task after one fails", async () => {
  const limited = concurrencyLimit({ limit: 1 });
  const failed = limited(() => Promise.reject(new Error("failed")));
  const next = limited(async () => "done");
  await expect(failed).rejects.toThrow("failed");
  expect(await next).toBe("done");
});
