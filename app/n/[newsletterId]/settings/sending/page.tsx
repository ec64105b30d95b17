import { SendingPage } from "@/components/settings/sending-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["account"], SendingPage);
export const generateMetadata = titledBy("settings.pages.sending");
