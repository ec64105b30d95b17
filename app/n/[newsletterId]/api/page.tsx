import { ApiPage } from "@/components/api-keys/api-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["api"], ApiPage);
export const generateMetadata = titledBy("shell.places.api");
