import { RunsPage } from "@/components/imports/runs-page";

export const metadata = { title: "Imports" };

export default function Page() {
  return <RunsPage />;
}
