import { MailsPage } from "@/components/mails/mails-page";

export const metadata = { title: "Mails" };

export default function Page() {
  return <MailsPage />;
}
