import { ImportPage } from "@/components/imports/import-page";

export const metadata = { title: "Import" };

export default async function Page({ params }: { params: Promise<{ importId: string }> }) {
  return <ImportPage importId={(await params).importId} />;
}
