import { Fields } from "@/components/settings/fields";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.fields") });

export default function Page() {
  return <Fields />;
}
