import { ConfirmationMailPage } from "@/components/mail/wording-pages";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["mails"], ConfirmationMailPage);
export const generateMetadata = titledBy("settings.pages.confirmation");
