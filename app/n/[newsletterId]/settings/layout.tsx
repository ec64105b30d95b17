import { SettingsFrame } from "@/components/settings/settings-frame";
import { textsOfRequest } from "@/components/texts/of-request";
import { withTexts } from "@/components/texts/with-texts";

export default withTexts(["settings"], SettingsFrame);
export async function generateMetadata() {
  const t = await textsOfRequest();
  return { title: { default: t("shell.places.settings"), template: t("app.titles.settingsTemplate") } };
}
