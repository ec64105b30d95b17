// app/ contains only Next's routes. They import components and the handlers of server/.
import "@fontsource-variable/geist/wght.css";
import "@fontsource-variable/geist-mono/wght.css";
import "./mantine.css";
import "@/components/ui/colors.css";
import "@/components/ui/base.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/providers";
import { languageOfRequest, textsOfRequest } from "@/components/texts/of-request";
import { TextsProvider } from "@/components/texts/texts";
import { tabIcon } from "@/server/kernel/colors-for-pages";

export async function generateMetadata(): Promise<Metadata> {
  const t = await textsOfRequest();
  return {
    title: { default: "Rollcall", template: t("app.titles.template") },
    description: t("app.layout.description"),
    robots: { index: false, follow: false },
    icons: { icon: tabIcon },
  };
}

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function Layout({ children }: { children: ReactNode }) {
  // The nonce that platform/http/security-headers.ts created for this request's scripts.
  const policy = (await headers()).get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  const language = await languageOfRequest();
  return (
    <html lang={language} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <TextsProvider language={language}>
          <Providers nonce={nonce}>{children}</Providers>
        </TextsProvider>
      </body>
    </html>
  );
}
