import { SignUpPage } from "@/components/settings/sign-up-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.signUp") });

export default function Page() {
  return <SignUpPage />;
}
