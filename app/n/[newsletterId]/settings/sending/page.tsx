import { SendingPage } from "@/components/settings/sending-page";

export const metadata = { title: "Sending" };

export default function Page() {
  return <SendingPage />;
}
