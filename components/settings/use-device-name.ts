import { useTranslations } from "use-intl";
import { deviceName } from "@/server/staff/device-name";

/** Names a browser and its system by the User-Agent header: "Firefox on Linux". */
export function useDeviceName(): (userAgent: string | null) => string {
  const t = useTranslations("settings.device");
  return (userAgent) => {
    const [browser = "", system] = deviceName(userAgent).split(" on ");
    const known = browser === "A browser" ? t("unknown") : browser;
    return system ? t("onSystem", { browser: known, system }) : known;
  };
}
