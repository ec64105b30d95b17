import { titledBy } from "@/components/texts/of-request";

export { SignUpPage as default } from "@/components/settings/sign-up-page";
export const generateMetadata = titledBy("settings.pages.signUp");
