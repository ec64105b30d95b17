import { YouPage } from "@/components/settings/you-page";

export const metadata = { title: "You" };

export default function Page() {
  return <YouPage />;
}
