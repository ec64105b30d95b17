import { ApiPage } from "@/components/api/api-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.api") });

export default function Page() {
  return <ApiPage />;
}
