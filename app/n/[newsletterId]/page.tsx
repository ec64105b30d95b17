import { titledBy } from "@/components/texts/of-request";

export { OverviewPage as default } from "@/components/overview/overview-page";
export const generateMetadata = titledBy("titles.overview");
