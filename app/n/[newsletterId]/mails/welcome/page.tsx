import { WelcomeMailPage } from "@/components/mails/welcome-mail-page";

export const metadata = { title: "Welcome mail" };

export default function Page() {
  return <WelcomeMailPage />;
}
