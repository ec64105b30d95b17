import { titledBy } from "@/components/texts/of-request";

export { YouPage as default } from "@/components/settings/you-page";
export const generateMetadata = titledBy("settings.pages.you");
