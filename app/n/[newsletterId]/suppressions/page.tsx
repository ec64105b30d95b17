import { SuppressionsPage } from "@/components/suppressions/suppressions-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.suppressions") });

export default function Page() {
  return <SuppressionsPage />;
}
