"use client";
import { useComputedColorScheme } from "@mantine/core";
import { useTranslations } from "use-intl";
import { fixColorScheme } from "./mail-color-scheme";

type Props = { html: string; className?: string | undefined; scheme?: "light" | "dark" };

/** A mail as it looks, by default in the page's own scheme. No script runs in it, and its links lead nowhere. */
export function MailFrame({ html, className, scheme }: Props) {
  const t = useTranslations("mails.panel");
  const pageScheme = useComputedColorScheme("light");
  return (
    <iframe
      className={className}
      title={t("frame")}
      sandbox=""
      srcDoc={fixColorScheme(html, scheme ?? pageScheme)}
    />
  );
}
