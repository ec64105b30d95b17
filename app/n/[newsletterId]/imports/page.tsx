import { ImportsPage } from "@/components/imports/imports-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.imports");

export default function Page() {
  return <ImportsPage />;
}
