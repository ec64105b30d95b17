import { describe, expect, test } from "vitest";
import { parseLockout, parsePolicy, signUpPolicies } from "./policies";

describe("parsePolicy", () => {
  test("accepts multiples of a unit, spaces, and any order", () => {
    expect(parsePolicy(" 9/d , 10/10s,2 / 15m")).toEqual([
      { name: "10s", quota: 10, windowSeconds: 10 },
      { name: "15m", quota: 2, windowSeconds: 900 },
      { name: "day", quota: 9, windowSeconds: 86_400 },
    ]);
  });

  test("parses off as no limit", () => {
    expect(parsePolicy("off")).toEqual([]);
    expect(parsePolicy(" OFF ")).toEqual([]);
  });

  test.each([...["", "60", "60/x", "0/m", "60/m,", "60/0s", "60/40d", "2000000000/m"]])(
    "rejects %j and says how it is written",
    (text) => {
      expect(() => parsePolicy(text)).toThrow(
        /must be quotas such as 60\/m,500\/h,3000\/d .* or off; ".*" is not one/,
      );
    },
  );

  test("rejects two windows of the same length in any notation", () => {
    expect(() => parsePolicy("60/m,10/60s")).toThrow(
      "must name each window once; two of 60 seconds were given",
    );
  });
});

describe("parseLockout", () => {
  test("parses off as no lockout", () => {
    expect(parseLockout("off")).toBeNull();
  });

  test.each([...["", "20/10m", "20 for 10m", "20/10m for 10m for 10m", "0/10m for 1m", "20/10m for 1y"]])(
    "rejects %j and says how it is written",
    (text) => {
      expect(() => parseLockout(text)).toThrow(/must be such as 20\/10m for 10m .* or off; ".*" is not/);
    },
  );

  test("rejects a limit over 1000 events per subject", () => {
    expect(() => parseLockout("1001/10m for 1m")).toThrow("at most 1000");
  });
});

test("a network has five times the sign-ups of an address, a newsletter a hundred times", () => {
  const quotas = Object.entries(signUpPolicies(parsePolicy("10/m,60/h"))).map(([name, policy]) => [
    name,
    policy.map(({ quota }) => quota),
  ]);
  expect(Object.fromEntries(quotas)).toEqual({
    signUp: [10, 60],
    signUpNetwork: [50, 300],
    signUpNewsletter: [1000, 6000],
  });
  expect(signUpPolicies(parsePolicy("off"))).toEqual({ signUp: [], signUpNetwork: [], signUpNewsletter: [] });
});
