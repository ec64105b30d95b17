"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { DashboardPage } from "../ui/list-page";
import { onDemand } from "../ui/on-demand";
import { parseAsId } from "../ui/parse-as-id";
import { Empty, Loading } from "../ui/states";

// Only this page loads the editor and the worker.
const PasteForm = onDemand(() => import("./paste-form"), {
  loading: <Loading rows={10} />,
  texts: ["imports"],
});

/** `?from=` names an import with rejected lines to fix. */
export function PastePage() {
  const t = useTranslations("imports.page");
  const { newsletterId, mayEdit } = useViewer();
  const [from, setFrom] = useQueryState("from", parseAsId);
  const earlier = (
    <Button variant="default" component={Link} href={`/n/${newsletterId}/imports`}>
      {t("earlier")}
    </Button>
  );
  return (
    <DashboardPage title={t("title")} actions={earlier}>
      {mayEdit ? (
        <PasteForm from={from} onTaken={() => setFrom(null)} />
      ) : (
        <Empty title={t("readOnlyTitle")}>{t("readOnlyText")}</Empty>
      )}
    </DashboardPage>
  );
}
