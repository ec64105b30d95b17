"use client";
import { useTranslations } from "use-intl";
import { OwnAccount } from "./own-account";
import { PasswordForm } from "./password-form";
import { SecondFactors } from "./second-factors";
import { Sessions } from "./sessions";

/** The staff member's sign-in methods and email settings. */
export function YouPage() {
  const t = useTranslations("settings.you");
  return (
    <>
      <OwnAccount />
      <h2>{t("password.heading")}</h2>
      <PasswordForm />
      <h2>{t("secondFactor")}</h2>
      <SecondFactors />
      <Sessions />
    </>
  );
}
