import { DataPage } from "@/components/settings/data-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.data") });

export default function Page() {
  return <DataPage />;
}
