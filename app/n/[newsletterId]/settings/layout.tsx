import type { ReactNode } from "react";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { textsOfRequest } from "@/components/texts/of-request";

export async function generateMetadata() {
  const t = await textsOfRequest("app");
  return { title: { default: t("titles.settings"), template: t("titles.settingsTemplate") } };
}

export default function Layout({ children }: { children: ReactNode }) {
  return <SettingsFrame>{children}</SettingsFrame>;
}
