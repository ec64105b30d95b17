import { KeysPage } from "@/components/keys/keys-page";

export const metadata = { title: "API" };

export default function Page() {
  return <KeysPage />;
}
