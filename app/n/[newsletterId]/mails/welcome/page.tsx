import { titledBy } from "@/components/texts/of-request";

export { WelcomeMailPage as default } from "@/components/mail/wording-pages";
export const generateMetadata = titledBy("titles.welcome");
