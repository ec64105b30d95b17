import { StaffList } from "@/components/settings/staff-list";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.staff");

export default function Page() {
  return <StaffList />;
}
