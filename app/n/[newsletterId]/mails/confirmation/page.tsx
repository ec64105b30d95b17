import { ConfirmationMailPage } from "@/components/mail/confirmation-mail-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.confirmation");

export default function Page() {
  return <ConfirmationMailPage />;
}
