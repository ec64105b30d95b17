import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { Shell } from "@/components/shell/shell";
import { findViewer } from "@/server/trpc/signed-in";

export default async function NewsletterLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ newsletterId: string }>;
}) {
  const { newsletterId } = await params;
  const viewer = await findViewer(await headers());
  if (!viewer) redirect(`/sign-in?next=${encodeURIComponent(`/n/${newsletterId}`)}`);
  if (!viewer.newsletters.some((newsletter) => newsletter.id === newsletterId)) notFound();
  return (
    <Shell viewer={viewer} newsletterId={newsletterId}>
      {children}
    </Shell>
  );
}
