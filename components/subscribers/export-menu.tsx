import { Button, Menu } from "@mantine/core";
import { useTranslations } from "use-intl";
import { OfferItems } from "../ui/verbs";
import type { useExport } from "./use-export";

/** The menu of export formats. */
export function ExportMenu({ exporting }: { exporting: ReturnType<typeof useExport> }) {
  const t = useTranslations("people.export");
  return (
    <Menu position="top-end" width={270}>
      <Menu.Target>
        <Button variant="default" loading={exporting.busy}>
          {t("button")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <OfferItems offers={exporting.offers} />
      </Menu.Dropdown>
    </Menu>
  );
}
