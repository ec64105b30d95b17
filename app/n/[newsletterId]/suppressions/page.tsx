import { SuppressionsPage } from "@/components/suppressions/suppressions-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["suppressions"], SuppressionsPage);
export const generateMetadata = titledBy("shell.places.suppressions");
