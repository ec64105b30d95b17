// app: Next's routes and nothing else. Imports components and the doors of server/; no Prisma, no SQL, no rules.
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { stylesheet } from "@/server/public/stylesheet";

export const metadata: Metadata = {
  title: { default: "Rollcall", template: "%s · Rollcall" },
  description: "The subscriber roll of a newsletter.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        {/* The public pages' sheet, until the dashboard brings its own; our own text, so nothing to escape. */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React would escape the sheet's quotes */}
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>{children}</body>
    </html>
  );
}
