import { titledBy } from "@/components/texts/of-request";

export { ConfirmationMailPage as default } from "@/components/mail/confirmation-mail-page";
export const generateMetadata = titledBy("titles.confirmation");
