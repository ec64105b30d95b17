import { ConfirmationMailPage } from "@/components/mails/confirmation-mail-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.confirmation") });

export default function Page() {
  return <ConfirmationMailPage />;
}
