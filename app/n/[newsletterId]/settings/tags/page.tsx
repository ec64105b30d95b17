import { Tags } from "@/components/settings/tags";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["bulkActions"], Tags);
export const generateMetadata = titledBy("settings.pages.tags");
