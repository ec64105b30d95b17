import { AccountLog } from "@/components/settings/account-log";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["account", "auditLog"], AccountLog);
export const generateMetadata = titledBy("settings.pages.log");
