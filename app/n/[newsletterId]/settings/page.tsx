import { titledBy } from "@/components/texts/of-request";

export { NewsletterPage as default } from "@/components/settings/newsletter-page";
export const generateMetadata = titledBy("app.titles.newsletter");
