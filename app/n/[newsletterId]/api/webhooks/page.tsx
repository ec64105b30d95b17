import { titledBy } from "@/components/texts/of-request";
import { WebhooksPage } from "@/components/webhooks/webhooks-page";

export const generateMetadata = titledBy("titles.webhooks");

export default function Page() {
  return <WebhooksPage />;
}
