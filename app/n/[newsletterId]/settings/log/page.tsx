import { AccountLog } from "@/components/settings/account-log";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.log") });

export default function Page() {
  return <AccountLog />;
}
