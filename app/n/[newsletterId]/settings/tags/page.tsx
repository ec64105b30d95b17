import { titledBy } from "@/components/texts/of-request";

export { Tags as default } from "@/components/settings/tags";
export const generateMetadata = titledBy("titles.tags");
