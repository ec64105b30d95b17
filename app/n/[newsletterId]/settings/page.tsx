import { NewsletterPage } from "@/components/settings/newsletter-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.newsletter") });

export default function Page() {
  return <NewsletterPage />;
}
