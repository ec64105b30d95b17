import { StaffList } from "@/components/settings/staff-list";

export const metadata = { title: "Staff" };

export default function Page() {
  return <StaffList />;
}
