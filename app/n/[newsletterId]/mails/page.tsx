import { MailsPage } from "@/components/mail/mails-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.mails");

export default function Page() {
  return <MailsPage />;
}
