import { StaffList } from "@/components/settings/staff-list";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["account", "mails"], StaffList);
export const generateMetadata = titledBy("settings.pages.staff");
