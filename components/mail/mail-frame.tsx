import { useComputedColorScheme } from "@mantine/core";
import { useTranslations } from "use-intl";

type Props = { html: string; className?: string | undefined; scheme?: "light" | "dark" };

/** Renders an email, by default in the page's scheme. Scripts and links are disabled. */
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

/** Fixes the email's HTML to one colour scheme. A frame would follow the system's scheme instead of the page's. */
export function fixColorScheme(html: string, scheme: "light" | "dark"): string {
  return html
    .replaceAll("(prefers-color-scheme: dark)", scheme === "dark" ? "all" : "not all")
    .replaceAll('content="light dark"', `content="${scheme}"`)
    .replaceAll(/(color-schemes?): light dark/g, `$1: ${scheme}`);
}
