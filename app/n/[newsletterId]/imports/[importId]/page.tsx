import { RunPage } from "@/components/imports/run-page";

export const metadata = { title: "Import" };

export default async function Page({ params }: { params: Promise<{ importId: string }> }) {
  return <RunPage importId={(await params).importId} />;
}
