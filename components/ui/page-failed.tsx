import { useEffect } from "react";
import { useTranslations } from "use-intl";
import type { ErrorCode } from "@/server/kernel/error-codes";
import { Note } from "./note";

const AGAIN_MS = 3_000;
const away: ErrorCode = "service_unavailable";

/** Replaces a page that failed to render. @param digest Next's digest of the error: our own code, or a log number */
export function PageFailed({ digest }: { digest: string | undefined }) {
  const t = useTranslations("ui.pageFailed");
  const isAway = digest === away;
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(async () => {
      const health = await fetch("/api/health").catch(() => null);
      if (!health?.ok) return;
      // The next interval would interrupt this reload if the page loads slowly.
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
