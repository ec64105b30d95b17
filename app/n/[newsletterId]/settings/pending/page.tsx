import { PendingPeople } from "@/components/settings/pending-people";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.pending") });

export default function Page() {
  return <PendingPeople />;
}
