import { initTRPC, type ProcedureType, type TRPCError } from "@trpc/server";
import { z } from "zod";
import type { Actor } from "../accounts/context";
import { getNewsletter } from "../accounts/newsletters";
import type { AppContext } from "../app";
import { AppError, invalid, malformed, toAppError } from "../kernel/errors";
import { transformer } from "../kernel/trpc-transformer";
import { hasRight, type Right, rolesWith } from "../staff/schema/roles";
import { checkRecentSignIn } from "../staff/sign-in/recent-sign-in";
import type { SignedIn } from "../staff/sign-in/staff-session";

/** The request data of the procedures. `signedIn` looks the session up at most once. */
export type ProcedureContext = {
  app: AppContext;
  requestId: string;
  address: string | null;
  signedIn(): Promise<SignedIn | null>;
};

/** Returns our error behind a TRPCError. The error's text allows for mutations with several transactions. */
export function appErrorOf(error: TRPCError, type: ProcedureType | "unknown"): AppError {
  if (error.cause instanceof z.ZodError) return invalid(error.cause.issues);
  const thrown = error.cause ?? error;
  if (error.cause || error.code === "INTERNAL_SERVER_ERROR")
    return toAppError(thrown, type === "query" ? "reader" : "person", true);
  const message =
    "The dashboard requested something that doesn't exist. Nothing was changed. Reload the page.";
  return error.code === "NOT_FOUND" ? new AppError("not_found", message) : malformed(message);
}

/** onArchived: the mutation is allowed on an archived newsletter, which is otherwise read-only. */
type Meta = { onArchived?: true };

const t = initTRPC
  .context<ProcedureContext>()
  .meta<Meta>()
  .create({
    transformer,
    // The browser gets our error's message and data, without stack and cause. `httpStatus` is the response's status.
    errorFormatter({ shape, error, type }) {
      const { message, code, status, errors, items, retryAfterSeconds } = appErrorOf(error, type);
      const data = { code, path: shape.data.path, httpStatus: status, errors, items, retryAfterSeconds };
      return { ...shape, message, data };
    },
  });

export const { router, createCallerFactory } = t;

/** Returns the `ctx` that verbs take. */
const actingAs = (actor: Actor, { app, requestId }: ProcedureContext) => ({ ...app, actor, requestId });

/** @param withoutFactor also allows staff who lack the second factor that their account requires */
const staffWith = (right: Right, withoutFactor = false) =>
  t.procedure.use(async ({ ctx, next }) => {
    const staff = await ctx.signedIn();
    if (!staff)
      throw new AppError("unauthorized", "Your session has ended. Sign in again. Nothing was changed.");
    if (staff.lacksSecondFactor && !withoutFactor)
      throw new AppError(
        "second_factor_missing",
        "Your account requires two-factor authentication. Set it up first. Nothing was changed.",
      );
    if (!hasRight(staff.role, right)) {
      const who = rolesWith(right)
        .map((role) => `${role}s`)
        .join(" and ");
      const message = `Only ${who} can do this. Nothing was changed. Ask an owner of the account.`;
      throw new AppError("forbidden", message);
    }
    const { id, accountId, role } = staff;
    const acting = actingAs({ kind: "staff", id, accountId, role, address: ctx.address }, ctx);
    return next({ ctx: { staff, acting } });
  });

export const staffProcedure = staffWith("read");
export const ownerProcedure = staffWith("manage");
export const unfinishedStaffProcedure = staffWith("read", true);

/** For actions that a stranger at an open laptop must not do. @throws AppError sign_in_again */
export const afterRecentSignIn = t.middleware(async ({ ctx, next }) => {
  const staff = await ctx.signedIn();
  if (staff) checkRecentSignIn(staff);
  return next();
});

/**
 * Adds a newsletter of the staff member's account. Another account's newsletter is not found. An archived newsletter is
 * read-only.
 */
const newsletterWith = (right: Right) =>
  staffWith(right)
    .input(z.object({ newsletterId: z.string().max(100) }))
    .use(async ({ ctx, input: { newsletterId }, type, meta, next }) => {
      const newsletter = await getNewsletter(ctx.acting.db, newsletterId);
      if (newsletter.accountId !== ctx.staff.accountId)
        throw new AppError("not_found", `Unknown newsletter id: ${newsletterId}.`);
      if (newsletter.archivedAt !== null && type === "mutation" && !meta?.onArchived)
        throw new AppError(
          "forbidden",
          `${newsletter.name} is archived, so nothing was changed. An owner can restore it at the top of its pages.`,
        );
      // Verbs get the id as it is stored, even when the request has it in upper case.
      return next({ ctx: { newsletter }, input: { newsletterId: newsletter.id } });
    });

export const newsletterProcedure = newsletterWith("read");
export const newsletterEditorProcedure = newsletterWith("edit");
export const newsletterOwnerProcedure = newsletterWith("manage");

/** Makes a procedure that only calls a verb, with the procedure's input and the staff member's account. */
export const calls =
  <Context, Input extends object, Output>(verb: (ctx: Context, input: Input) => Output) =>
  ({ ctx, input }: Signed<Context, Input>) =>
    verb(ctx.acting, { ...input, accountId: ctx.staff.accountId } as unknown as Input);

type Signed<Context, Input> = {
  ctx: { acting: Context; staff: { accountId: string } };
  input: Omit<Input, "accountId">;
};

/** Accepts any input of this type. The verb itself validates, so that every adapter returns the same messages. */
export const validatedByVerb = <T>() => z.custom<T>();
