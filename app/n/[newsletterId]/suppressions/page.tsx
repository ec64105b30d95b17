import { titledBy } from "@/components/texts/of-request";

export { SuppressionsPage as default } from "@/components/suppressions/suppressions-page";
export const generateMetadata = titledBy("titles.suppressions");
