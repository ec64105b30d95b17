import { z } from "zod";
import { newsletterEditorProcedure, newsletterProcedure, router, validatedByVerb } from "../trpc/base";
import type { SignUpSettings } from "./schema/sign-up-settings";
import { getSignUpPage, previewSignUpPage, saveSignUpSettings } from "./sign-up-page";

const OfSettings = z.object({ settings: validatedByVerb<SignUpSettings>() });

export const signUpPageRouter = router({
  settings: newsletterProcedure.query(({ ctx: { acting, newsletter } }) =>
    getSignUpPage(acting, { newsletter }),
  ),

  save: newsletterEditorProcedure
    .input(OfSettings.extend({ version: z.int32().min(0) }))
    .mutation(({ ctx: { acting, newsletter }, input }) =>
      saveSignUpSettings(acting, { newsletter, ...input }),
    ),

  // A mutation although it changes nothing, because its input is too long for a URL.
  preview: newsletterProcedure
    .meta({ onArchived: true })
    .input(OfSettings)
    .mutation(({ ctx: { acting, newsletter }, input }) =>
      previewSignUpPage(acting, { newsletter, ...input }),
    ),
});
