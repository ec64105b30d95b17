import { SignUpPage } from "@/components/settings/sign-up-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["mails"], SignUpPage);
export const generateMetadata = titledBy("titles.signUp");
