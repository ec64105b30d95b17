import { ApiPage } from "@/components/api/api-page";

export const metadata = { title: "API" };

export default function Page() {
  return <ApiPage />;
}
