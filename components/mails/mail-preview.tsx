"use client";
import { SegmentedControl, useComputedColorScheme } from "@mantine/core";
import { useState } from "react";
import { Loading } from "../ui/states";
import { MailFrame } from "./mail-frame";
import styles from "./words.module.css";

type Mail = { subject: string; from: string; html: string; text: string };

const looks = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "text", label: "Plain text" },
];

/** A mail as it lies in the inbox and as it looks opened. `stale`: what is typed is not shown yet. */
export function MailPreview({ mail, stale }: { mail: Mail | undefined; stale: boolean }) {
  const scheme = useComputedColorScheme("light");
  const [wanted, setLook] = useState<string | null>(null);
  const look = wanted ?? scheme;
  return (
    <section className={styles.preview} aria-label="Preview" aria-busy={stale}>
      <SegmentedControl
        data={looks}
        value={look}
        onChange={setLook}
        size="xs"
        aria-label="How the mail is shown"
      />
      {!mail && <Loading rows={8} />}
      {mail && (
        <div className={styles.sheet} data-look={look} data-stale={stale || undefined}>
          <p className={styles.inbox}>
            <b>{mail.from.replace(/\s*<[^>]*>$/, "").replace(/^"(.*)"$/, "$1")}</b>
            <span>{mail.subject}</span>
          </p>
          {look === "text" ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
            <pre tabIndex={0}>{mail.text}</pre>
          ) : (
            <MailFrame html={mail.html} scheme={look === "dark" ? "dark" : "light"} />
          )}
        </div>
      )}
    </section>
  );
}
