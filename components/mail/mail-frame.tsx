import { useComputedColorScheme } from "@mantine/core";
import { useTranslations } from "use-intl";
import { fixColorScheme } from "./fix-color-scheme";

type Props = { html: string; className?: string; scheme?: "light" | "dark" };

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
