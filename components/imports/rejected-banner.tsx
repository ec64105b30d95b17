import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { Banner } from "../ui/states";
import type { List } from "./use-list";

/** Shows a rejection and the next step. The list stays unchanged. */
export function RejectedBanner({ list: { rejection, session } }: { list: List }) {
  const t = useTranslations("ui.notification");
  const dismiss = (
    <Button variant="default" onClick={() => session.dismiss()}>
      {t("dismiss")}
    </Button>
  );
  return (
    <div role="alert">
      <Banner tone="failed" action={dismiss}>
        {rejection?.message}
      </Banner>
    </div>
  );
}
