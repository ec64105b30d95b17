import { titledBy } from "@/components/texts/of-request";

export { SendingPage as default } from "@/components/settings/sending-page";
export const generateMetadata = titledBy("titles.sending");
