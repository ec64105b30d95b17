import { ImportsPage } from "@/components/imports/imports-page";

export const metadata = { title: "Imports" };

export default function Page() {
  return <ImportsPage />;
}
