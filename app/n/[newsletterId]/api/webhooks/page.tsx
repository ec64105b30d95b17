import { WebhooksPage } from "@/components/events/webhooks-page";
import { titledBy } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["webhooks"], WebhooksPage);
export const generateMetadata = titledBy("webhooks.page.title");
