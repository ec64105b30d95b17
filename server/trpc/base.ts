// server/trpc: the dashboard's API. Each procedure builds nothing itself: it asks who is calling, may they, and calls one verb of services.
import { initTRPC, TRPCError } from "@trpc/server";
import superjson, { type SuperJSONResult } from "superjson";
import { z } from "zod";
import type { AppContext } from "../app";
import type { SignedIn } from "../auth/staff-session";
import { faults } from "../contract/error-codes";
import { AppError, toAppError } from "../errors";
import type { Ctx } from "../services/context";
import { getNewsletter } from "../services/newsletters";

/** What every procedure is given. `signedIn` is asked for once a request, and only by those who need it. */
export type Call = {
  app: AppContext;
  requestId: string;
  address: string | null;
  signedIn(): Promise<SignedIn | null>;
};

/** Our own error behind what tRPC made of it. */
export function appErrorOf(error: TRPCError): AppError {
  if (error.cause instanceof z.ZodError) return rejectedInput(error.cause);
  if (error.cause) return toAppError(error.cause);
  if (error.code === "INTERNAL_SERVER_ERROR") return toAppError(error);
  const fault = error.code === "NOT_FOUND" ? "not_found" : "malformed_request";
  return new AppError(
    fault,
    "The dashboard asked for something that isn't there. Reload the page; nothing was changed.",
  );
}

function rejectedInput(error: z.ZodError): AppError {
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of error.issues) {
    const field = issue.path.findLast((part) => typeof part === "string") ?? "body";
    errors[field] ??= [];
    errors[field].push(issue.message);
  }
  return new AppError("validation_error", Object.values(errors).flat().join(" "), { errors });
}

/** superjson, but for input that says nothing beyond JSON: copying a list of 100,000 people would hold up everybody else. */
const transformer = {
  input: {
    serialize: superjson.serialize,
    deserialize: (sent: SuperJSONResult) => (sent.meta ? superjson.deserialize(sent) : sent.json),
  },
  output: superjson,
};

const t = initTRPC.context<Call>().create({
  transformer,
  // What goes out is the message and data of our own error; no stack, no cause, nothing of the unexpected.
  errorFormatter({ shape, error }) {
    const known = appErrorOf(error);
    const { fault, status, errors, items, retryAfterSeconds } = known;
    return {
      ...shape,
      message: known.message,
      data: {
        code: shape.data.code,
        path: shape.data.path,
        httpStatus: status,
        fault,
        errors,
        items,
        retryAfterSeconds,
      },
    };
  },
});

export const { router, createCallerFactory } = t;

/** Gives our errors their HTTP status: tRPC takes whatever is thrown for its own crash. */
const procedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (
    result.ok ||
    !(result.error.code === "INTERNAL_SERVER_ERROR" || result.error.cause instanceof z.ZodError)
  )
    return result;
  const known = appErrorOf(result.error);
  throw new TRPCError({ code: faults[known.fault].trpc, message: known.message, cause: known });
});

/** For who is not signed in: invitations. */
export const publicProcedure = procedure.use(({ ctx, next }) => {
  const { app, requestId, address } = ctx;
  const acting: Ctx = {
    db: app.db,
    queue: app.queue,
    outbox: app.outbox,
    actor: { kind: "link", address },
    requestId,
  };
  return next({ ctx: { acting } });
});

/** Anybody who is signed in. `acting` is what the verbs take. */
export const staffProcedure = procedure.use(async ({ ctx, next }) => {
  const staff = await ctx.signedIn();
  if (!staff)
    throw new AppError("unauthorized", "You are not signed in any more. Sign in again; nothing was changed.");
  const { app, requestId, address } = ctx;
  const { id, accountId, role } = staff;
  const acting: Ctx = {
    db: app.db,
    queue: app.queue,
    outbox: app.outbox,
    actor: { kind: "staff", id, accountId, role, address },
    requestId,
  };
  return next({ ctx: { staff, acting } });
});

const forbidden = (who: string) =>
  new AppError(
    "api_module_access_disabled",
    `Only ${who} may do this. Nothing was changed; ask an owner of the account.`,
  );

export const editorProcedure = staffProcedure.use(({ ctx, next }) => {
  if (ctx.staff.role === "viewer") throw forbidden("owners and editors");
  return next();
});

export const ownerProcedure = staffProcedure.use(({ ctx, next }) => {
  if (ctx.staff.role !== "owner") throw forbidden("owners");
  return next();
});

const OfNewsletter = z.object({ newsletterId: z.string() });

/** The newsletter named by the input, when it is the caller's own. Another account's does not exist. */
async function own(app: AppContext, accountId: string, newsletterId: string) {
  const newsletter = await getNewsletter(app.db, newsletterId);
  if (newsletter.accountId !== accountId) {
    throw new AppError("not_found", `There is no newsletter with the id ${newsletterId}.`);
  }
  return newsletter;
}

/** Reading a newsletter: any staff member of its account. */
export const newsletterProcedure = staffProcedure
  .input(OfNewsletter)
  .use(async ({ ctx, input, next }) =>
    next({ ctx: { newsletter: await own(ctx.app, ctx.staff.accountId, input.newsletterId) } }),
  );

/** Changing people, imports and mails of a newsletter. */
export const newsletterEditorProcedure = editorProcedure
  .input(OfNewsletter)
  .use(async ({ ctx, input, next }) =>
    next({ ctx: { newsletter: await own(ctx.app, ctx.staff.accountId, input.newsletterId) } }),
  );

/** Keys and settings of a newsletter. */
export const newsletterOwnerProcedure = ownerProcedure
  .input(OfNewsletter)
  .use(async ({ ctx, input, next }) =>
    next({ ctx: { newsletter: await own(ctx.app, ctx.staff.accountId, input.newsletterId) } }),
  );
