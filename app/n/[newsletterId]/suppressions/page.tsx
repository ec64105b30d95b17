import { SuppressionsPage } from "@/components/suppressions/suppressions-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.suppressions");

export default function Page() {
  return <SuppressionsPage />;
}
