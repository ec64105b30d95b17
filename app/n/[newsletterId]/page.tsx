import { OverviewPage } from "@/components/overview/overview-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["auditLog", "bulkActions", "overview"], OverviewPage);
export const generateMetadata = titledBy("shell.places.overview");
