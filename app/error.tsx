"use client";
import { PageFailed } from "@/components/ui/page-failed";

export default function PageError({ error }: { error: Error & { digest?: string } }) {
  return <PageFailed digest={error.digest} />;
}
