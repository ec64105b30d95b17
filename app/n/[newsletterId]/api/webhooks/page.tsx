import { WebhooksPage } from "@/components/events/webhooks-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.webhooks");

export default function Page() {
  return <WebhooksPage />;
}
