"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { DashboardPage } from "../ui/list-page";
import { Empty } from "../ui/states";
import { PasteForm } from "./paste-form";

/** Imports a pasted list or a file. */
export function PastePage() {
  const t = useTranslations("imports.page");
  const { newsletterId, mayEdit } = useViewer();
  const earlier = (
    <Button variant="default" component={Link} href={`/n/${newsletterId}/imports`}>
      {t("earlier")}
    </Button>
  );
  return (
    <DashboardPage title={t("title")} actions={earlier}>
      {mayEdit ? <PasteForm /> : <Empty title={t("readOnlyTitle")}>{t("readOnlyText")}</Empty>}
    </DashboardPage>
  );
}
