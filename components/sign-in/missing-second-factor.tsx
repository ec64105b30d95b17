"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { SecondFactors } from "../settings/second-factors";
import { Note } from "../ui/note";
import { callAuth } from "./call-auth";
import { RecentSignInDialog } from "./who-it-is-dialog";

/** Sets up a missing second factor, then continues. */
export function MissingSecondFactor({ email, accountName }: { email: string; accountName: string }) {
  const t = useTranslations("signIn.secondFactor");
  const leave = async () => {
    await callAuth("sign-out", {}).catch(() => {});
    window.location.assign("/sign-in");
  };
  return (
    <Note title={t("title")} withMark>
      <p>{t("text", { account: accountName })}</p>
      <SecondFactors onAdded={() => window.location.assign("/")} />
      <Button variant="subtle" mt="md" onClick={leave}>
        {t("signOut")}
      </Button>
      <RecentSignInDialog email={email} />
    </Note>
  );
}
