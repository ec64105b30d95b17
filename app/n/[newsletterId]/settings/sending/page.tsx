import { SendingPage } from "@/components/settings/sending-page";
import { titledBy } from "@/components/texts/of-request";

export const generateMetadata = titledBy("titles.sending");

export default function Page() {
  return <SendingPage />;
}
