import { expect, test } from "vitest";
import { openLimiter } from "./limiter";
import { parseLockout, parsePolicy } from "./policies";

test("counting a write in memory takes under 20 µs of the processor: ten times the goal", async () => {
  const limiter = openLimiter({
    policies: {
      single: parsePolicy("1000000000/m,1000000000/h,1000000000/d"),
      bulk: parsePolicy("10/m"),
      me: parsePolicy("120/m"),
    },
    lockouts: { auth: parseLockout("20/10m for 10m"), errors: parseLockout("100/10m for 1m") },
    log: { warn() {}, info() {} },
    clock: () => Date.UTC(2030, 0, 1),
  });
  const keys = Array.from(
    { length: 1000 },
    (_, i) => `0199e5b2-0000-7000-8000-${String(i).padStart(12, "0")}`,
  );
  const round = async () => {
    const before = process.cpuUsage();
    for (let i = 0; i < 100_000; i++) await limiter.takeWrite("single", keys[i % 1000] as string);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 100_000;
  };
  const microseconds = Math.min(await round(), await round(), await round());
  console.log(`limiter in memory: ${microseconds.toFixed(2)} µs a takeWrite`);
  expect(microseconds).toBeLessThan(20);
});
