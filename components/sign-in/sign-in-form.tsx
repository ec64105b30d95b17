"use client";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../ui/error-of";
import { Problem } from "../ui/form";
import { Note } from "../ui/note";
import { callAuth } from "./call-auth";
import { SignInSteps } from "./sign-in-steps";

type Props = {
  next: string;
  /** What the organisation's own sign-in is called; null where there is none. */
  oidcName: string | null;
  /** Whoever opens the page comes back from there, and was not signed in. */
  oidcFailed: boolean;
};

/** Sign-in for staff. */
export function SignInForm({ next, oidcName, oidcFailed }: Props) {
  const t = useTranslations("signIn.form");
  return (
    <Note title={t("title")} withMark>
      {/* A whole new page: nothing that was read before belongs to whoever is signed in now. */}
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
  const [problem, setProblem] = useState(failed ? t("oidcFailed", { name }) : null);
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      const { url } = await callAuth<{ url: string }>("sign-in/social", { next });
      window.location.assign(url);
    } catch (error) {
      setProblem(rejectionOf(error).message);
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="default" fullWidth mt="xs" loading={busy} onClick={leave}>
        {t("withOidc", { name })}
      </Button>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
