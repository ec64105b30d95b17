import { useTranslations } from "use-intl";
import type { OutcomeCounts } from "@/server/imports/schema/import-counts";
import type { ImportRecord, ImportState } from "@/server/imports/schema/imports";
import type { StatusLook } from "@/server/mail/schema/mail-states";
import type { Texts } from "../texts/texts";
import { StatusPill } from "../ui/status-pill";

const tones: Record<ImportState, StatusLook["tone"]> = {
  uploading: "off",
  planned: "off",
  running: "pending",
  done: "active",
  cancelled: "off",
  outdated: "failed",
  failed: "failed",
  undoing: "pending",
  undone: "off",
};

export function ImportStatus({ state }: { state: ImportState }) {
  const t = useTranslations("imports");
  return <StatusPill status={{ word: t(`states.${state}`), tone: tones[state] }} />;
}

type Named = Pick<ImportRecord, "fileName" | "number">;

/** "Import #41", "readers.csv #41" */
export function importName({ fileName, number }: Named, t: Texts<"imports">): string {
  if (fileName !== null) return number > 0 ? t("name.numberedFile", { file: fileName, number }) : fileName;
  return number > 0 ? t("name.numbered", { number }) : t("name.import");
}

/** Counts the listed people that an import leaves unchanged. */
export const countUnchanged = (counts: OutcomeCounts) =>
  counts.already_active + counts.already_pending + counts.unsubscribed + counts.suppressed;
