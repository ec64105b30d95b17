import { PastePage } from "@/components/imports/paste-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.pasteList");

export default function Page() {
  return <PastePage />;
}
