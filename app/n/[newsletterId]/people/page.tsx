import { PeoplePage } from "@/components/subscribers/people-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["people", "segments"], PeoplePage);
export const generateMetadata = titledBy("shell.places.people");
