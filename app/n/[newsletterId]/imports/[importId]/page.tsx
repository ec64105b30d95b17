import { ImportPage } from "@/components/imports/import-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.import") });

export default async function Page({ params }: { params: Promise<{ importId: string }> }) {
  return <ImportPage importId={(await params).importId} />;
}
