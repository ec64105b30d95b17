import type { ReactNode } from "react";
import { SettingsFrame } from "@/components/settings/settings-frame";

export const metadata = { title: { default: "Settings", template: "%s · Settings · Rollcall" } };

export default function Layout({ children }: { children: ReactNode }) {
  return <SettingsFrame>{children}</SettingsFrame>;
}
