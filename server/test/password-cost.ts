import { afterAll, beforeAll } from "vitest";
import { passwordCost } from "../staff/sign-in/password-hashing";

const real = passwordCost.ln;

/**
 * Sets the cost of password hashes in this file's tests, as a power of two. Without a number it is the product's cost.
 */
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
