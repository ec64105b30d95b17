import { WelcomeMailPage } from "@/components/mail/welcome-mail-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.welcome");

export default function Page() {
  return <WelcomeMailPage />;
}
