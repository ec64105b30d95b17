import { ApiPage } from "@/components/api-keys/api-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.api");

export default function Page() {
  return <ApiPage />;
}
