import { titledBy } from "@/components/texts/of-request";

export { ImportsPage as default } from "@/components/imports/imports-page";
export const generateMetadata = titledBy("titles.imports");
