import { z } from "zod";
import { languages } from "../kernel/languages";
import { findDigest, updateDigest } from "../operations/shared-queries";
import { afterRecentSignIn, publicProcedure, router, staffProcedure, validatedByVerb } from "../trpc/base";
import { askForEmail, confirmEmail, rename, setLanguage } from "./own-account";
import { countResetMail, mailReset, resetPassword } from "./password-reset";

// Wrong tokens are not counted: a token has 192 random bits and can't be guessed.
const Token = z.string().max(100);

/** Procedures for a person's own account: a forgotten password, their name and address. */
export const ownRouter = router({
  forgot: publicProcedure
    .input(z.object({ email: z.string().max(320) }))
    .mutation(async ({ ctx: { acting, app, address }, input: { email } }) => {
      await countResetMail(acting, { email, address });
      // The procedure doesn't wait: the response time must not reveal whether a staff member has this address.
      mailReset(acting, { email }).catch((err: unknown) =>
        app.log.warn({ err }, "an email that resets a password was not written"),
      );
    }),
  reset: publicProcedure
    .input(z.object({ token: Token, password: validatedByVerb<string>() }))
    .mutation(({ ctx, input }) => resetPassword(ctx.acting, input)),
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
  confirmEmail: publicProcedure
    .input(z.object({ token: Token }))
    .mutation(({ ctx, input }) => confirmEmail(ctx.acting, input)),
});
