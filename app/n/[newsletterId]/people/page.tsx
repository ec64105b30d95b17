import { PeoplePage } from "@/components/people/people-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.people") });

export default function Page() {
  return <PeoplePage />;
}
