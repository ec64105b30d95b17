import { titledBy } from "@/components/texts/of-request";

export { AccountLog as default } from "@/components/settings/account-log";
export const generateMetadata = titledBy("titles.log");
