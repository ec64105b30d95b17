import { titledBy } from "@/components/texts/of-request";

export { PastePage as default } from "@/components/imports/paste-page";
export const generateMetadata = titledBy("titles.pasteList");
