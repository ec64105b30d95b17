import { YouPage } from "@/components/settings/you-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.you");

export default function Page() {
  return <YouPage />;
}
