"use client";
import { useTranslations } from "use-intl";
import type { Outputs } from "../trpc";
import { CopyButton } from "../ui/copy";
import kit from "../ui/kit.module.css";
import styles from "./settings.module.css";

/** The saved state and address of the sign-up page. */
export function SignUpState({ saved: { url, settings } }: { saved: Outputs["signUpPage"]["settings"] }) {
  const t = useTranslations("settings.signUp");
  return (
    <div className={styles.state}>
      {settings.isOn ? (
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      ) : (
        <p className={kit.quiet}>{t("isOff", { url })}</p>
      )}
      <CopyButton value={url}>{t("copyLink")}</CopyButton>
    </div>
  );
}
