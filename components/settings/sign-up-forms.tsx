"use client";
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Outputs } from "../trpc";
import { Code } from "../ui/copy";
import kit from "../ui/kit.module.css";
import styles from "./settings.module.css";

type Saved = Outputs["signUpPage"]["settings"];

type Kind = keyof Saved["forms"];
const kinds: { value: Kind; label: string }[] = [
  { value: "inline", label: "Answers in place" },
  { value: "plain", label: "Without a script" },
];
const notes: Record<Kind, string> = {
  inline: "A small script answers below the form. Where it cannot run, the form works as without it.",
  plain: "The button leads to the sign-up page, which asks to press once more: that keeps programs out.",
};

/** The form for other sites. */
export function SignUpForms({ saved: { forms, settings } }: { saved: Saved }) {
  const [kind, setKind] = useState<Kind>("inline");
  return (
    <div className={styles.forms}>
      <h2>Form for another site</h2>
      <SegmentedControl
        data={kinds}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        size="xs"
        my="xs"
        aria-label="Which form"
      />
      <p className={kit.quiet}>{notes[kind]}</p>
      {!settings.isOn && <p className={kit.quiet}>The form works once the page is on.</p>}
      <Code label="Form for another site">{forms[kind]}</Code>
    </div>
  );
}
