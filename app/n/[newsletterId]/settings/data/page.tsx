import { DataPage } from "@/components/settings/data-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.data");

export default function Page() {
  return <DataPage />;
}
