import { SendingPage } from "@/components/settings/sending-page";
import { textsOfRequest } from "@/components/texts/of-request";

export const generateMetadata = async () => ({ title: (await textsOfRequest("app"))("titles.sending") });

export default function Page() {
  return <SendingPage />;
}
