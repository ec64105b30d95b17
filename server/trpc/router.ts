import { z } from "zod";
import { NewKey, Title } from "../contract/names";
import { Invitation, Joining, NewsletterSettings, roles } from "../contract/settings";
import { createKey, keysOf, revokeKey, rotateKey } from "../services/api-keys";
import * as invitations from "../services/invitations";
import { saveSettings } from "../services/newsletter-settings";
import { createNewsletter, getAccount, setApiAccess } from "../services/newsletters";
import { overviewOf, recentActs } from "../services/overview";
import * as staff from "../services/staff";
import {
  newsletterOwnerProcedure,
  newsletterProcedure,
  ownerProcedure,
  publicProcedure,
  router,
  staffProcedure,
} from "./base";
import { bulkActionsRouter } from "./bulk-actions";
import { importsRouter } from "./imports";
import { mailsRouter } from "./mails";
import { peopleRouter } from "./people";
import { requestsRouter } from "./requests";

const OfKey = z.object({ keyId: z.uuid() });
const DAY_MS = 86_400_000;
/** The first moment of the last days, wherever the reader's days begin; a clock that is wrong decides nothing. */
const lastDays = (days: number) =>
  z.date().transform((since) => {
    const ours = new Date(Date.now() - days * DAY_MS);
    return Math.abs(ours.getTime() - since.getTime()) < 3 * DAY_MS ? since : ours;
  });
const Own = z.object({ week: lastDays(7), month: lastDays(30) });
const OfRow = z.object({ id: z.uuid() });

const keys = router({
  list: newsletterProcedure.query(async ({ ctx }) => {
    const [list, account] = await Promise.all([
      keysOf(ctx.acting, ctx.newsletter.id),
      getAccount(ctx.acting.db, ctx.staff.accountId),
    ]);
    return { keys: list, apiAccess: account.apiAccess };
  }),
  create: newsletterOwnerProcedure
    .input(z.object({ key: NewKey }))
    .mutation(({ ctx, input }) => createKey(ctx.acting, ctx.newsletter.id, input.key)),
  revoke: newsletterOwnerProcedure
    .input(OfKey)
    .mutation(({ ctx, input }) => revokeKey(ctx.acting, input.keyId, ctx.newsletter.id)),
  rotate: newsletterOwnerProcedure
    .input(OfKey.extend({ overlapHours: z.int().min(0).max(720) }))
    .mutation(({ ctx, input }) => rotateKey(ctx.acting, ctx.newsletter.id, input.keyId, input.overlapHours)),
});

const newsletters = router({
  create: ownerProcedure
    .input(z.object({ name: Title }))
    .mutation(({ ctx, input }) => createNewsletter(ctx.acting, ctx.staff.accountId, input.name)),
  settings: newsletterProcedure.query(({ ctx }) => {
    const { id, name, sender, replyTo, language, timeZone } = ctx.newsletter;
    return { id, name, sender, replyTo, language, timeZone, mailFrom: ctx.app.config.MAIL_FROM ?? null };
  }),
  save: newsletterOwnerProcedure
    .input(z.object({ settings: NewsletterSettings.strip() }))
    .mutation(async ({ ctx, input }) => {
      const { replyTo, ...rest } = input.settings;
      await saveSettings(ctx.acting, ctx.newsletter.id, { ...rest, replyTo: replyTo?.email ?? null });
    }),
  overview: newsletterProcedure
    .input(z.object({ days: z.union([z.literal(30), z.literal(90), z.literal(365)]), own: Own }))
    .query(({ ctx, input }) => overviewOf(ctx.acting, ctx.newsletter, input.days, input.own)),
});

const account = router({
  apiAccess: ownerProcedure
    .input(z.object({ on: z.boolean() }))
    .mutation(({ ctx, input }) => setApiAccess(ctx.acting, ctx.staff.accountId, input.on)),
  acts: staffProcedure
    .input(z.object({ limit: z.int().min(1).max(100), cursor: z.uuid().nullish() }))
    .query(({ ctx, input }) =>
      recentActs(ctx.acting, ctx.staff.accountId, input.limit, input.cursor ?? null),
    ),
  staff: staffProcedure.query(async ({ ctx }) => {
    const [members, invited] = await Promise.all([
      staff.listStaff(ctx.acting, ctx.staff.accountId),
      invitations.invitationsOf(ctx.acting, ctx.staff.accountId),
    ]);
    return { staff: members, invitations: invited };
  }),
  invite: ownerProcedure.input(z.object({ invitation: Invitation })).mutation(async ({ ctx, input }) => {
    const { email, role } = input.invitation;
    const { acting, app, staff: owner } = ctx;
    return invitations.invite(acting, app.links, owner.accountId, { email: email.email, role });
  }),
  inviteAgain: ownerProcedure
    .input(OfRow)
    .mutation(({ ctx, input }) =>
      invitations.inviteAgain(ctx.acting, ctx.app.links, ctx.staff.accountId, input.id),
    ),
  invitation: ownerProcedure
    .input(OfRow)
    .query(({ ctx, input }) =>
      invitations.getInvitation(ctx.acting, ctx.app.links, ctx.staff.accountId, input.id),
    ),
  withdraw: ownerProcedure
    .input(OfRow)
    .mutation(({ ctx, input }) => invitations.withdraw(ctx.acting, ctx.staff.accountId, input.id)),
  setRole: ownerProcedure
    .input(OfRow.extend({ role: z.enum(roles) }))
    .mutation(({ ctx, input }) => staff.setRole(ctx.acting, ctx.staff.accountId, input.id, input.role)),
  remove: ownerProcedure
    .input(OfRow)
    .mutation(({ ctx, input }) => staff.removeStaff(ctx.acting, ctx.staff.accountId, input.id)),
});

const sessions = router({
  list: staffProcedure.query(async ({ ctx }) => {
    const list = await staff.listSessions(ctx.acting, ctx.staff.id);
    return list.map((session) => ({ ...session, current: session.id === ctx.staff.sessionId }));
  }),
  end: staffProcedure
    .input(OfRow)
    .mutation(({ ctx, input }) => staff.endSessions(ctx.acting, ctx.staff.id, { id: input.id })),
  endOthers: staffProcedure.mutation(({ ctx }) =>
    staff.endSessions(ctx.acting, ctx.staff.id, { allBut: ctx.staff.sessionId }),
  ),
});

export const appRouter = router({
  people: peopleRouter,
  bulkActions: bulkActionsRouter,
  imports: importsRouter,
  keys,
  requests: requestsRouter,
  mails: mailsRouter,
  newsletters,
  account,
  sessions,
  join: publicProcedure
    .input(z.object({ token: z.string().max(100), joining: Joining }))
    .mutation(({ ctx, input }) => invitations.join(ctx.acting, input.token, input.joining)),
});

export type AppRouter = typeof appRouter;
