import { YouPage } from "@/components/settings/you-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.you") });

export default function Page() {
  return <YouPage />;
}
