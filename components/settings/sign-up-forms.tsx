"use client";
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Outputs } from "../trpc";
import { Code } from "../ui/copy";
import kit from "../ui/kit.module.css";
import styles from "./settings.module.css";

type Saved = Outputs["signUpPage"]["settings"];

type Kind = keyof Saved["forms"];
const kinds: Kind[] = ["inline", "plain"];

/** The sign-up form to embed in other sites. */
export function SignUpForms({ saved: { forms, settings } }: { saved: Saved }) {
  const t = useTranslations("settings.signUp.form");
  const [kind, setKind] = useState<Kind>("inline");
  return (
    <div className={styles.forms}>
      <h2>{t("heading")}</h2>
      <SegmentedControl
        data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        size="xs"
        my="xs"
        aria-label={t("kind")}
      />
      <p className={kit.quiet}>{t(`notes.${kind}`)}</p>
      {!settings.isOn && <p className={kit.quiet}>{t("worksOnceOn")}</p>}
      <Code label={t("heading")}>{forms[kind]}</Code>
    </div>
  );
}
