"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../ui/error-of";
import { Problem } from "../ui/form";
import { Note } from "../ui/note";
import { callAuth } from "./call-auth";
import { SignInSteps } from "./sign-in-steps";

type Props = {
  next: string;
  /** The name of the organisation's single sign-on; null without one. */
  oidcName: string | null;
  /** The single sign-on failed and returned to this page. */
  oidcFailed: boolean;
};

/** Sign-in for staff. */
export function SignInForm({ next, oidcName, oidcFailed }: Props) {
  const t = useTranslations("signIn.form");
  return (
    <Note title={t("title")} withMark>
      {/* A full page load discards cached data of a previous staff member. */}
      <SignInSteps submit={t("submit")} onSignedIn={() => window.location.assign(next)} />
      {oidcName && <OidcButton name={oidcName} next={next} failed={oidcFailed} />}
      <p>
        <a href="/forgot">{t("forgot")}</a>
      </p>
      <p>{t("noAccount")}</p>
    </Note>
  );
}

function OidcButton({ name, next, failed }: { name: string; next: string; failed: boolean }) {
  const t = useTranslations("signIn.form");
  const leave = useMutation({
    mutationFn: () => callAuth<{ url: string }>("sign-in/social", { next }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const problem = leave.error ? rejectionOf(leave.error).message : failed && t("oidcFailed", { name });
  return (
    <>
      <Button
        variant="default"
        fullWidth
        mt="xs"
        loading={leave.isPending || leave.isSuccess}
        onClick={() => leave.mutate()}
      >
        {t("withOidc", { name })}
      </Button>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
