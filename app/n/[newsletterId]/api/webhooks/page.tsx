import { titledBy } from "@/components/texts/of-request";

export { WebhooksPage as default } from "@/components/events/webhooks-page";
export const generateMetadata = titledBy("titles.webhooks");
