import { PastePage } from "@/components/imports/paste-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.pasteList") });

export default function Page() {
  return <PastePage />;
}
