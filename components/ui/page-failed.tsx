"use client";
import { useEffect } from "react";
import { useTranslations } from "use-intl";
import type { ErrorCode } from "@/server/kernel/error-codes";
import { Note } from "./note";

const AGAIN_MS = 3_000;
const away: ErrorCode = "service_unavailable";

/** In place of a page that could not be made. @param digest what Next tells of the error: our own code, or a number of its log */
export function PageFailed({ digest }: { digest: string | undefined }) {
  const t = useTranslations("ui.pageFailed");
  const isAway = digest === away;
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(async () => {
      const health = await fetch("/api/health").catch(() => null);
      if (!health?.ok) return;
      // The next turn would break off this reload where the page takes longer to come.
      clearInterval(timer);
      window.location.reload();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway]);
  if (isAway)
    return (
      <Note title={t("databaseTitle")}>
        <p role="status">{t("databaseText")}</p>
      </Note>
    );
  return (
    <Note title={t("title")}>
      <p>{digest ? t("textWithNumber", { number: digest }) : t("text")}</p>
    </Note>
  );
}
