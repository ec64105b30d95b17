import { MailsPage } from "@/components/mails/mails-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.mails") });

export default function Page() {
  return <MailsPage />;
}
