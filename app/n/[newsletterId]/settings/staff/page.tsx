import { titledBy } from "@/components/texts/of-request";

export { StaffList as default } from "@/components/settings/staff-list";
export const generateMetadata = titledBy("titles.staff");
