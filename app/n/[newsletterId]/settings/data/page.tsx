import { DataPage } from "@/components/settings/data-page";

export const metadata = { title: "Data" };

export default function Page() {
  return <DataPage />;
}
