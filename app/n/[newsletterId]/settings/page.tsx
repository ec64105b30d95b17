import { NewsletterPage } from "@/components/settings/newsletter-page";

export const metadata = { title: "Newsletter · Settings" };

export default function Page() {
  return <NewsletterPage />;
}
