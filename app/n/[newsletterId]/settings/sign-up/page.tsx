import { SignUpPage } from "@/components/settings/sign-up-page";

export const metadata = { title: "Sign-up page" };

export default function Page() {
  return <SignUpPage />;
}
