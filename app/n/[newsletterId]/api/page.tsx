import { KeysPage } from "@/components/api/keys-page";

export const metadata = { title: "API" };

export default function Page() {
  return <KeysPage />;
}
