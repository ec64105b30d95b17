import { titledBy } from "@/components/texts/of-request";

export { Fields as default } from "@/components/settings/fields";
export const generateMetadata = titledBy("settings.pages.fields");
