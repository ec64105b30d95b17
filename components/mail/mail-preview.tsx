"use client";
import { Preview } from "../ui/preview";
import { Loading } from "../ui/states";
import { MailFrame } from "./mail-frame";
import styles from "./mails.module.css";

type Props = {
  mail: { subject: string; from: string; html: string; text: string } | undefined;
  stale: boolean;
};

/** An email as listed in an inbox, and as opened. */
export function MailPreview({ mail, stale }: Props) {
  return (
    <Preview looks={["light", "dark", "text"]} className={styles.preview} stale={stale}>
      {(look) =>
        mail ? (
          <div className={styles.sheet} data-stale={stale || undefined}>
            <p>
              <b>{mail.from.replace(/\s*<[^>]*>$/, "").replace(/^"(.*)"$/, "$1")}</b> {mail.subject}
            </p>
            {look === "text" ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
              <pre tabIndex={0}>{mail.text}</pre>
            ) : (
              <MailFrame html={mail.html} scheme={look} />
            )}
          </div>
        ) : (
          <Loading rows={8} />
        )
      }
    </Preview>
  );
}
