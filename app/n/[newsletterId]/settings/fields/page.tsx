import { Fields } from "@/components/settings/fields";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.fields");

export default function Page() {
  return <Fields />;
}
