import { PeoplePage } from "@/components/people/people-page";

export const metadata = { title: "People" };

export default function Page() {
  return <PeoplePage />;
}
