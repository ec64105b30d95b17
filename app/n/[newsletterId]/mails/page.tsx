import { titledBy } from "@/components/texts/of-request";

export { MailsPage as default } from "@/components/mail/mails-page";
export const generateMetadata = titledBy("titles.mails");
