import type { Db } from "../platform/db/client";
import { defaultWordings } from "../sign-up/schema/sign-up-page";
import type { SignUpSettings } from "../sign-up/schema/sign-up-settings";
import { saveSignUpSettings } from "../sign-up/sign-up-page";

export const usualSettings: SignUpSettings = {
  isOn: true,
  title: "",
  introduction: "Letters about engines.",
  wording: defaultWordings.en,
  asksName: true,
  fields: [],
};

/** Saves a newsletter's sign-up page, which is on unless the settings turn it off. */
export async function saveSignUpPage(
  db: Db,
  newsletterId: string,
  settings: Partial<SignUpSettings> = {},
): Promise<void> {
  const newsletter = await db.newsletter.findUniqueOrThrow({ where: { id: newsletterId } });
  const { version = 0 } = (await db.signUpPage.findUnique({ where: { newsletterId } })) ?? {};
  const ctx = { db, actor: { kind: "operator" } as const, requestId: "test" };
  await saveSignUpSettings(ctx, { newsletter, version, settings: { ...usualSettings, ...settings } });
}
