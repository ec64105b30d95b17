import { PastePage } from "@/components/imports/paste-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["imports"], PastePage);
export const generateMetadata = titledBy("imports.page.title");
