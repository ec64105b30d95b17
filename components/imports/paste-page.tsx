"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { DashboardPage } from "../ui/list-page";
import { parseAsId } from "../ui/parse-as-id";
import { Empty } from "../ui/states";
import { PasteForm } from "./paste-form";

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
