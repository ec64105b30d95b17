import { WelcomeMailPage } from "@/components/mail/wording-pages";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["mails"], WelcomeMailPage);
export const generateMetadata = titledBy("settings.pages.welcome");
