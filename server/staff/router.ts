import { z } from "zod";
import { auditAreaNames } from "../accounts/schema/audit-actions";
import { listMadeByStaff, setApiAccess } from "../api-keys/api-keys";
import { languages } from "../kernel/languages";
import { checkSendingDomains, getMailService, removeMailService, setMailService } from "../mail/mail-service";
import type { NewMailService } from "../mail/schema/mail-service";
import { listAuditLog } from "../operations/overview";
import { findDigest, updateDigest } from "../operations/shared-queries";
import {
  afterRecentSignIn,
  calls,
  ownerProcedure,
  router,
  staffProcedure,
  unfinishedStaffProcedure,
  validatedByVerb,
} from "../trpc/base";
import { getInvitation, invite, inviteAgain, listInvitations, withdrawInvitation } from "./invitations";
import { askForEmail, rename, setLanguage } from "./own-account";
import { roles } from "./schema/roles";
import type { Invitation } from "./schema/staff";
import { getSecondFactors, removeSecondFactors, requireSecondFactor } from "./second-factors";
import { endSessions, listSessions, listStaff, removeStaff, setRole } from "./staff";

const OfRow = z.object({ id: z.uuid() });
const AuditPage = z.object({
  limit: z.int().min(1).max(100),
  cursor: z.uuid().nullish(),
  newsletterId: z.uuid().nullish(),
  area: z.enum(auditAreaNames).nullish(),
});

export const accountRouter = router({
  apiAccess: ownerProcedure.input(z.object({ on: z.boolean() })).mutation(calls(setApiAccess)),
  auditLog: staffProcedure.input(AuditPage).query(calls(listAuditLog)),

  mailService: staffProcedure.query(({ ctx: { acting, staff } }) => getMailService(acting, staff)),
  sendingDomains: ownerProcedure.query(({ ctx: { acting, staff } }) => checkSendingDomains(acting, staff)),
  setMailService: ownerProcedure
    .use(afterRecentSignIn)
    .input(z.object({ service: validatedByVerb<NewMailService>() }))
    .mutation(calls(setMailService)),
  removeMailService: ownerProcedure
    .use(afterRecentSignIn)
    .mutation(({ ctx: { acting, staff } }) => removeMailService(acting, staff)),

  staff: staffProcedure.query(async ({ ctx }) => {
    const [staff, invitations] = await Promise.all([
      listStaff(ctx.acting, ctx.staff),
      listInvitations(ctx.acting, ctx.staff),
    ]);
    return { staff, invitations };
  }),
  requireSecondFactor: ownerProcedure
    .use(afterRecentSignIn)
    .input(z.object({ required: z.boolean() }))
    .mutation(({ ctx: { acting, staff }, input }) => requireSecondFactor(acting, { ...staff, ...input })),
  removeSecondFactors: ownerProcedure
    .use(afterRecentSignIn)
    .input(OfRow)
    .mutation(calls(removeSecondFactors)),
  secondFactors: unfinishedStaffProcedure.query(({ ctx: { acting, staff } }) =>
    getSecondFactors(acting, staff),
  ),
  made: ownerProcedure.input(OfRow).query(calls(listMadeByStaff)),
  setRole: ownerProcedure
    .use(afterRecentSignIn)
    .input(OfRow.extend({ role: z.enum(roles) }))
    .mutation(calls(setRole)),
  remove: ownerProcedure.use(afterRecentSignIn).input(OfRow).mutation(calls(removeStaff)),

  invite: ownerProcedure
    .use(afterRecentSignIn)
    .input(z.object({ invitation: validatedByVerb<Invitation>() }))
    .mutation(calls(invite)),
  inviteAgain: ownerProcedure.input(OfRow).mutation(calls(inviteAgain)),
  invitation: ownerProcedure.use(afterRecentSignIn).input(OfRow).query(calls(getInvitation)),
  withdraw: ownerProcedure.input(OfRow).mutation(calls(withdrawInvitation)),
});

export const sessionsRouter = router({
  list: staffProcedure.query(({ ctx: { acting, staff } }) => listSessions(acting, staff)),
  end: staffProcedure
    .input(OfRow)
    .mutation(({ ctx: { acting, staff }, input }) => endSessions(acting, { ...staff, which: input })),
  endOthers: staffProcedure.mutation(({ ctx: { acting, staff } }) =>
    endSessions(acting, { ...staff, which: "others" }),
  ),
});

/** Procedures for a staff member's own account. */
export const ownRouter = router({
  rename: staffProcedure
    .input(z.object({ name: validatedByVerb<string>() }))
    .mutation(({ ctx: { acting, staff }, input }) => rename(acting, { ...staff, ...input })),
  setLanguage: staffProcedure
    .input(z.object({ language: z.enum(languages).nullable() }))
    .mutation(({ ctx: { acting, staff }, input }) => setLanguage(acting, { ...staff, ...input })),
  digest: staffProcedure.query(async ({ ctx: { acting, staff } }) => ({
    weekly: (await findDigest(acting.db, staff.id)) !== null,
  })),
  setDigest: staffProcedure
    .input(z.object({ weekly: z.boolean() }))
    .mutation(({ ctx: { acting, staff }, input }) => updateDigest(acting.db, staff.id, input.weekly)),
  /** Lets a form check before it opens that its action won't require another sign-in. */
  checkRecentSignIn: staffProcedure.use(afterRecentSignIn).query(() => null),
  changeEmail: staffProcedure
    .use(afterRecentSignIn)
    .input(z.object({ email: validatedByVerb<string>() }))
    .mutation(({ ctx: { acting, staff }, input }) => askForEmail(acting, { ...staff, ...input })),
});
