"use client";
import { useEffect } from "react";
import type { ErrorCode } from "@/server/contract/error-codes";
import { Note } from "./note";

const AGAIN_MS = 3_000;
const away: ErrorCode = "service_unavailable";

/** In place of a page that could not be made. @param digest what Next tells of the error: our own code, or a number of its log */
export function PageFailed({ digest }: { digest: string | undefined }) {
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
      <Note title="Rollcall can’t reach its database">
        <p role="status">Nothing was changed. This page reloads as soon as the database answers.</p>
      </Note>
    );
  return (
    <Note title="This page could not be loaded">
      <p>
        Nothing was changed. Reload the page. If the error stays, send your operator
        {digest ? ` the number ${digest} from the log` : ""}.
      </p>
    </Note>
  );
}
