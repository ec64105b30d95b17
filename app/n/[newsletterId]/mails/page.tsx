import { MailsPage } from "@/components/mail/mails-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["bulkActions", "mails"], MailsPage);
export const generateMetadata = titledBy("shell.places.mails");
