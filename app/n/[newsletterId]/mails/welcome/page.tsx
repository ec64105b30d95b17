import { WelcomeMailPage } from "@/components/mails/welcome-mail-page";

export const metadata = { title: "Welcome email" };

export default function Page() {
  return <WelcomeMailPage />;
}
