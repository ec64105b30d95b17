import { YouPage } from "@/components/settings/you-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["people"], YouPage);
export const generateMetadata = titledBy("titles.you");
