import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { Shell } from "@/components/shell/shell";
import { PAGE_HEADER } from "@/server/platform/http/security-headers";
import { findViewer, listViewerSegments } from "@/server/trpc/viewer";

export default async function NewsletterLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ newsletterId: string }>;
}) {
  const { newsletterId } = await params;
  const sent = await headers();
  const viewer = await findViewer(sent);
  if (!viewer) {
    const wanted = sent.get(PAGE_HEADER) ?? `/n/${newsletterId}`;
    redirect(`/sign-in?next=${encodeURIComponent(wanted)}`);
  }
  if (viewer.lacksSecondFactor) redirect("/second-factor");
  if (!viewer.newsletters.some((newsletter) => newsletter.id === newsletterId)) notFound();
  const segments = await listViewerSegments(newsletterId);
  return (
    <Shell viewer={viewer} newsletterId={newsletterId} segments={segments}>
      {children}
    </Shell>
  );
}
