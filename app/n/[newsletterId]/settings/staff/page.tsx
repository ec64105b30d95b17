import { StaffList } from "@/components/settings/staff-list";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.staff") });

export default function Page() {
  return <StaffList />;
}
