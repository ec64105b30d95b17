import { PastePage } from "@/components/imports/paste-page";

export const metadata = { title: "Paste a list" };

export default function Page() {
  return <PastePage />;
}
