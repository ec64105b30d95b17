import { PeoplePage } from "@/components/subscribers/people-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.people");

export default function Page() {
  return <PeoplePage />;
}
