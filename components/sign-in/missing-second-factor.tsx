"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { SecondFactors } from "../settings/second-factors";
import { Note } from "../ui/note";
import { signOut } from "./call-auth";
import RecentSignInDialog from "./who-it-is-dialog";

/** Sets up a missing second factor, then continues. */
export function MissingSecondFactor({ email, accountName }: { email: string; accountName: string }) {
  const t = useTranslations("signIn.secondFactor");
  return (
    <Note title={t("title")} withMark>
      <p>{t("text", { account: accountName })}</p>
      <SecondFactors onAdded={() => window.location.assign("/")} />
      <Button variant="subtle" mt="md" onClick={signOut}>
        {t("signOut")}
      </Button>
      <RecentSignInDialog email={email} />
    </Note>
  );
}
