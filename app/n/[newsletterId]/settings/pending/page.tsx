import { PendingPeople } from "@/components/settings/pending-people";

export const metadata = { title: "Pending people" };

export default function Page() {
  return <PendingPeople />;
}
