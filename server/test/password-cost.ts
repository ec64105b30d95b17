import { afterAll, beforeAll } from "vitest";
import { passwordCost } from "../staff/sign-in/password-cost";

const real = passwordCost.ln;

/** In the tests of this file a password costs so much, as a power of two; without a number what it costs the product. */
export function withPasswordCost(ln = real): void {
  let before: number;
  beforeAll(() => {
    before = passwordCost.ln;
    passwordCost.ln = ln;
  });
  afterAll(() => {
    passwordCost.ln = before;
  });
}
