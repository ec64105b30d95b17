import { SuppressionsPage } from "@/components/suppressions/suppressions-page";

export const metadata = { title: "Suppressions" };

export default function Page() {
  return <SuppressionsPage />;
}
