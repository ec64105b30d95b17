import { z } from "zod";
import { roles } from "../contract/roles";
import type { Invitation, Joining } from "../contract/settings";
import {
  getInvitation,
  invite,
  inviteAgain,
  join,
  listInvitations,
  withdrawInvitation,
} from "../services/invitations";
import { setApiAccess } from "../services/newsletters";
import { listAuditLog } from "../services/overview";
import { endSessions, listSessions, listStaff, removeStaff, setRole } from "../services/staff";
import { ownerProcedure, publicProcedure, router, staffProcedure, validatedByVerb } from "./base";

const OfRow = z.object({ id: z.uuid() });

export const accountRouter = router({
  apiAccess: ownerProcedure
    .input(z.object({ on: z.boolean() }))
    .mutation(({ ctx, input }) => setApiAccess(ctx.acting, { accountId: ctx.staff.accountId, on: input.on })),

  acts: staffProcedure
    .input(z.object({ limit: z.int().min(1).max(100), cursor: z.uuid().nullish() }))
    .query(({ ctx, input: { limit, cursor } }) =>
      listAuditLog(ctx.acting, { accountId: ctx.staff.accountId, limit, before: cursor ?? null }),
    ),

  staff: staffProcedure.query(async ({ ctx }) => {
    const [staff, invitations] = await Promise.all([
      listStaff(ctx.acting, ctx.staff),
      listInvitations(ctx.acting, ctx.staff),
    ]);
    return { staff, invitations };
  }),

  invite: ownerProcedure
    .input(z.object({ invitation: validatedByVerb<Invitation>() }))
    .mutation(({ ctx, input: { invitation } }) =>
      invite(ctx.acting, { accountId: ctx.staff.accountId, invitation }),
    ),

  inviteAgain: ownerProcedure
    .input(OfRow)
    .mutation(({ ctx, input: { id } }) => inviteAgain(ctx.acting, { accountId: ctx.staff.accountId, id })),

  invitation: ownerProcedure
    .input(OfRow)
    .query(({ ctx, input: { id } }) => getInvitation(ctx.acting, { accountId: ctx.staff.accountId, id })),

  withdraw: ownerProcedure
    .input(OfRow)
    .mutation(({ ctx, input: { id } }) =>
      withdrawInvitation(ctx.acting, { accountId: ctx.staff.accountId, id }),
    ),

  setRole: ownerProcedure
    .input(OfRow.extend({ role: z.enum(roles) }))
    .mutation(({ ctx, input: { id, role } }) =>
      setRole(ctx.acting, { accountId: ctx.staff.accountId, staffId: id, role }),
    ),

  remove: ownerProcedure
    .input(OfRow)
    .mutation(({ ctx, input: { id } }) =>
      removeStaff(ctx.acting, { accountId: ctx.staff.accountId, staffId: id }),
    ),
});

export const sessionsRouter = router({
  list: staffProcedure.query(({ ctx: { acting, staff } }) =>
    listSessions(acting, { staffId: staff.id, sessionId: staff.sessionId }),
  ),

  end: staffProcedure
    .input(OfRow)
    .mutation(({ ctx, input: { id } }) => endSessions(ctx.acting, { staffId: ctx.staff.id, id })),

  endOthers: staffProcedure.mutation(({ ctx: { acting, staff } }) =>
    endSessions(acting, { staffId: staff.id, allBut: staff.sessionId }),
  ),
});

/** An invited person joins the staff with the token of their link. */
export const joinProcedure = publicProcedure
  .input(z.object({ token: z.string().max(100), joining: validatedByVerb<Joining>() }))
  .mutation(({ ctx, input }) => join(ctx.acting, input));
