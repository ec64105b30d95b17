import { DuplicatesPage } from "@/components/people/duplicates-page";

export const metadata = { title: "People listed twice" };

export default function Page() {
  return <DuplicatesPage />;
}
