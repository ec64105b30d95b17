import { afterAll, expect, test } from "vitest";
import { database, openDatabaseForTests } from "../test/open-database";
import { diskFull, NotSent, toAppError } from "./errors";

openDatabaseForTests({ poolSize: 1 });
// Otherwise health in other test files would report it.
afterAll(() => {
  diskFull.at = null;
});

/** Returns Prisma's error for a statement that PostgreSQL ends with this code. */
const thrownBy = (state: string) =>
  database.db
    .$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '${state}'; END $$`)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );

test.each([
  ["a full disk", "53100", { status: 503, retryAfterSeconds: 60, message: /disk/ }],
  ["too many connections", "53300", { status: 503, retryAfterSeconds: 2, message: /Nothing was changed/ }],
  ["a statement timeout", "57014", { status: 503, retryAfterSeconds: 2, message: /Nothing was changed/ }],
  ["any other database error", "42883", { status: 500, retryAfterSeconds: undefined, message: /unexpected/ }],
])("%s (%s) has its status and message", async (_, state, { message, ...rest }) => {
  expect(toAppError(await thrownBy(state))).toMatchObject({
    ...rest,
    message: expect.stringMatching(message),
  });
});

test("a statement that was not sent is reported as unchanged, unless an earlier one of the request may have run", () => {
  const unsent = new NotSent(new Error("connect ECONNREFUSED"));
  expect(toAppError(unsent, "program")).toMatchObject({ isUnknown: false, retryAfterSeconds: 2 });
  expect(toAppError(unsent, "person", true)).toMatchObject({ isUnknown: true });
  const cut = Object.assign(new Error("terminating connection"), { code: "57P01" });
  expect(toAppError(cut, "program").message).toMatch(/not known .* same Idempotency-Key\.$/);
  expect(toAppError(cut, "person").message).toMatch(/not known .* check before you try again\.$/);
  expect(toAppError(cut, "reader").message).toMatch(/Nothing was changed/);
});

test("a transaction that timed out gets Rollcall's message, not Prisma's", () => {
  const message = "Transaction API error: Unable to start a transaction in the given time.";
  const error = toAppError(Object.assign(new Error(message), { code: "P2028" }));
  expect(error).toMatchObject({ status: 503, isUnknown: true });
  expect(error.message).toBe(
    "The database did not answer, so it is not known whether the change was saved; check before you try again.",
  );
});
