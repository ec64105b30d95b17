"use client";
import dynamic from "next/dynamic";

// Every page has this file; few visits ever see what it shows.
const PageFailed = dynamic(() => import("@/components/ui/page-failed"), { ssr: false });

export default function PageError({ error }: { error: Error & { digest?: string } }) {
  return <PageFailed digest={error.digest} />;
}
