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
  { value: "inline", label: "Shows the result in place" },
  { value: "plain", label: "Without a script" },
];
const notes: Record<Kind, string> = {
  inline: "A small script shows the result below the form. Without scripts, the form opens the sign-up page.",
  plain: "The form opens the sign-up page, where people confirm once more. This keeps bots out.",
};

/** The form for other sites. */
export function SignUpForms({ saved: { forms, settings } }: { saved: Saved }) {
  const [kind, setKind] = useState<Kind>("inline");
  return (
    <div className={styles.forms}>
      <h2>Embeddable form</h2>
      <SegmentedControl
        data={kinds}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        size="xs"
        my="xs"
        aria-label="Form type"
      />
      <p className={kit.quiet}>{notes[kind]}</p>
      {!settings.isOn && <p className={kit.quiet}>The form works once the page is on.</p>}
      <Code label="Embeddable form">{forms[kind]}</Code>
    </div>
  );
}
