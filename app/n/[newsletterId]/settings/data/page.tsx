import { titledBy } from "@/components/texts/of-request";

export { DataPage as default } from "@/components/settings/data-page";
export const generateMetadata = titledBy("titles.data");
