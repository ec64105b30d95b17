import { SignUpPage } from "@/components/settings/sign-up-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.signUp");

export default function Page() {
  return <SignUpPage />;
}
