import { ConfirmationMailPage } from "@/components/mails/confirmation-mail-page";

export const metadata = { title: "Confirmation mail" };

export default function Page() {
  return <ConfirmationMailPage />;
}
