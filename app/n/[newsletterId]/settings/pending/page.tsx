import { titledBy } from "@/components/texts/of-request";

export { PendingPeople as default } from "@/components/settings/pending-people";
export const generateMetadata = titledBy("settings.pages.pending");
