import { textsOfRequest } from "@/components/texts/of-request";

export { SettingsFrame as default } from "@/components/settings/settings-frame";

export async function generateMetadata() {
  const t = await textsOfRequest("app");
  return { title: { default: t("titles.settings"), template: t("titles.settingsTemplate") } };
}
