import { MailsPage } from "@/components/mails/mails-page";

export const metadata = { title: "Emails" };

export default function Page() {
  return <MailsPage />;
}
