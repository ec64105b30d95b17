import { titledBy } from "@/components/texts/of-request";

export { ConfirmationMailPage as default } from "@/components/mail/wording-pages";
export const generateMetadata = titledBy("titles.confirmation");
