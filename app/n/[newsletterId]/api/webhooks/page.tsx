import { textsOfRequest } from "@/components/texts/of-request";
import { WebhooksPage } from "@/components/webhooks/webhooks-page";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.webhooks") });

export default function Page() {
  return <WebhooksPage />;
}
