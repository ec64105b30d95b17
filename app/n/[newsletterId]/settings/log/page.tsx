import { AccountLog } from "@/components/settings/account-log";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.log");

export default function Page() {
  return <AccountLog />;
}
