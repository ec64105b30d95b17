import { ConfirmationMailPage } from "@/components/mails/confirmation-mail-page";

export const metadata = { title: "Confirmation email" };

export default function Page() {
  return <ConfirmationMailPage />;
}
