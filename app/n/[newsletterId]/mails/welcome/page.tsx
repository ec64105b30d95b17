import { titledBy } from "@/components/texts/of-request";

export { WelcomeMailPage as default } from "@/components/mail/welcome-mail-page";
export const generateMetadata = titledBy("titles.welcome");
