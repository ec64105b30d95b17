import { ImportPage } from "@/components/imports/import-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.import");

export default async function Page({ params }: { params: Promise<{ importId: string }> }) {
  return <ImportPage importId={(await params).importId} />;
}
