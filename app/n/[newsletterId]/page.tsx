import { OverviewPage } from "@/components/overview/overview-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.overview");

export default function Page() {
  return <OverviewPage />;
}
