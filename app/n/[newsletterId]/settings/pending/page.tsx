import { PendingPeople } from "@/components/settings/pending-people";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.pending");

export default function Page() {
  return <PendingPeople />;
}
