import { ImportsPage } from "@/components/imports/imports-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["imports"], ImportsPage);
export const generateMetadata = titledBy("shell.places.imports");
