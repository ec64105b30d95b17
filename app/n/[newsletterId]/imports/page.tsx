import { ImportsPage } from "@/components/imports/imports-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.imports") });

export default function Page() {
  return <ImportsPage />;
}
