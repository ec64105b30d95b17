import { NewsletterPage } from "@/components/settings/newsletter-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.newsletter");

export default function Page() {
  return <NewsletterPage />;
}
