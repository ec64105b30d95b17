import { useState } from "react";
import { useTranslations } from "use-intl";
import type { AuditArea } from "@/server/accounts/schema/audit-actions";
import { api, type Outputs } from "../trpc";
import { type AuditEntry, useAuditWords } from "../ui/audit-words";
import { notify, notifyError } from "../ui/notify";

/** Number of entries per request. */
const PAGE = 100;

const columnsWith = ({
  whoOf,
  wordsOf,
}: ReturnType<typeof useAuditWords>): Record<string, (entry: AuditEntry) => string> => ({
  time: ({ at }) => at.toISOString(),
  who: whoOf,
  what: wordsOf,
  newsletter: ({ newsletter }) => newsletter ?? "",
  address: ({ address }) => address ?? "",
  action: ({ action }) => action,
  details: ({ detail }) => (detail ? JSON.stringify(detail) : ""),
});

/** Saves all entries of an area, or of all areas, newest first. */
export function useLogFile(area: AuditArea | null) {
  const t = useTranslations("settings.log");
  const columns = columnsWith(useAuditWords());
  const { client } = api.useUtils();
  const [isSaving, setSaving] = useState(false);
  async function save() {
    setSaving(true);
    try {
      const { csv, saveFile } = await import("../subscribers/export");
      const found: AuditEntry[] = [];
      let cursor: string | null = null;
      do {
        const page: Outputs["account"]["auditLog"] = await client.account.auditLog.query({
          limit: PAGE,
          cursor,
          area,
        });
        found.push(...page.items);
        cursor = page.next;
      } while (cursor !== null);
      const rows = found.map((entry) => Object.values(columns).map((of) => of(entry)));
      saveFile("log.csv", "text/csv", csv([Object.keys(columns), ...rows]));
      notify(t("saved", { n: found.length }));
    } catch (error) {
      notifyError(error);
    } finally {
      setSaving(false);
    }
  }
  return { save, isSaving };
}
