import { z } from "zod";
import { languages } from "../kernel/languages";
import { findDigest, updateDigest } from "../operations/shared-queries";
import { afterRecentSignIn, router, staffProcedure, validatedByVerb } from "../trpc/base";
import { askForEmail, rename, setLanguage } from "./own-account";

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
