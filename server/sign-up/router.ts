import { z } from "zod";
import { newsletterEditorProcedure, newsletterProcedure, router, validatedByVerb } from "../trpc/base";
import type { SignUpSettings } from "./schema/sign-up-page";
import { getSignUpPage, previewSignUpPage, saveSignUpSettings } from "./sign-up-page";

const OfSettings = z.object({ settings: validatedByVerb<SignUpSettings>() });

/** Procedures for a newsletter's sign-up page. */
export const signUpPageRouter = router({
  settings: newsletterProcedure.query(({ ctx }) => getSignUpPage(ctx.acting, ctx.newsletter)),

  save: newsletterEditorProcedure
    .input(OfSettings.extend({ version: z.int32().min(0) }))
    .mutation(({ ctx, input: { version, settings } }) =>
      saveSignUpSettings(ctx.acting, ctx.newsletter, { version, settings }),
    ),

  // A mutation although it changes nothing, because its input is too long for a URL.
  preview: newsletterProcedure
    .meta({ onArchived: true })
    .input(OfSettings)
    .mutation(({ ctx, input }) => previewSignUpPage(ctx.acting, ctx.newsletter, input.settings)),
});
