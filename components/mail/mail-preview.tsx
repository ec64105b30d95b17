"use client";
import { SegmentedControl, useComputedColorScheme } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Loading } from "../ui/states";
import { MailFrame } from "./mail-frame";
import styles from "./mails.module.css";

const looks = ["light", "dark", "text"] as const;

type Props = {
  mail: { subject: string; from: string; html: string; text: string } | undefined;
  /** The fields changed after this preview was rendered. */
  stale: boolean;
};

/** An email as listed in an inbox, and as opened. */
export function MailPreview({ mail, stale }: Props) {
  const t = useTranslations("mails.preview");
  const scheme = useComputedColorScheme("light");
  const [chosen, setLook] = useState<string | null>(null);
  const look = chosen ?? scheme;
  return (
    <section className={styles.preview} aria-label={t("label")} aria-busy={stale}>
      <SegmentedControl
        data={looks.map((value) => ({ value, label: t(`looks.${value}`) }))}
        value={look}
        onChange={setLook}
        size="xs"
        aria-label={t("options")}
      />
      {mail ? (
        <div className={styles.sheet} data-stale={stale || undefined}>
          <p>
            <b>{mail.from.replace(/\s*<[^>]*>$/, "").replace(/^"(.*)"$/, "$1")}</b> {mail.subject}
          </p>
          {look === "text" ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
            <pre tabIndex={0}>{mail.text}</pre>
          ) : (
            <MailFrame html={mail.html} scheme={look === "dark" ? "dark" : "light"} />
          )}
        </div>
      ) : (
        <Loading rows={8} />
      )}
    </section>
  );
}
