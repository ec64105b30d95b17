import { OverviewPage } from "@/components/overview/overview-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.overview") });

export default function Page() {
  return <OverviewPage />;
}
