import { titledBy } from "@/components/texts/of-request";

export { ApiPage as default } from "@/components/api-keys/api-page";
export const generateMetadata = titledBy("titles.api");
