import { WelcomeMailPage } from "@/components/mails/welcome-mail-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.welcome") });

export default function Page() {
  return <WelcomeMailPage />;
}
