"use client";
import { useComputedColorScheme } from "@mantine/core";

/** The mail's own HTML, told which scheme its reader has: a frame would follow the system's, not the page's. */
export function inScheme(html: string, scheme: "light" | "dark"): string {
  return html
    .replaceAll("(prefers-color-scheme: dark)", scheme === "dark" ? "all" : "not all")
    .replaceAll('content="light dark"', `content="${scheme}"`)
    .replaceAll("color-scheme: light dark", `color-scheme: ${scheme}`);
}

type Props = { html: string; className?: string | undefined; scheme?: "light" | "dark" };

/** A mail as it looks, by default in the page's own scheme. No script runs in it, and its links lead nowhere. */
export function MailFrame({ html, className, scheme }: Props) {
  const own = useComputedColorScheme("light");
  return (
    <iframe
      className={className}
      title="The mail as it looks"
      sandbox=""
      srcDoc={inScheme(html, scheme ?? own)}
    />
  );
}
