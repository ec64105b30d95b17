"use client";
import { Button, Group, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { type AuditArea, auditAreaNames } from "@/server/accounts/schema/audit-actions";
import { useViewer } from "../shell/viewer";
import { api, changesNothing, type Outputs } from "../trpc";
import { type AuditEntry, AuditLog, useAuditWords } from "../ui/audit-log";
import { byCursor, itemsOf, Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { saveFile } from "../ui/save-file";

const PAGE = 20;

/** The account's audit log, filtered by area and downloadable. */
export function AccountLog() {
  const t = useTranslations("account.log");
  const { mayExport } = useViewer();
  const [area, setArea] = useState<AuditArea | null>(null);
  const query = api.account.auditLog.useInfiniteQuery({ limit: PAGE, area }, byCursor);
  const file = useLogFile(area);
  return (
    <>
      <Group gap="xs" mb="xs" justify="space-between">
        <NativeSelect
          aria-label={t("area")}
          data={[
            { value: "", label: t("everything") },
            ...auditAreaNames.map((value) => ({ value, label: t(`areas.${value}`) })),
          ]}
          value={area ?? ""}
          onChange={({ currentTarget: { value } }) => setArea((value || null) as AuditArea | null)}
        />
        {mayExport && (
          <Button variant="default" loading={file.isPending} onClick={() => file.mutate()}>
            {t("export")}
          </Button>
        )}
      </Group>
      <Loaded query={query} rows={5}>
        {(data) => <AuditLog entries={itemsOf(data) ?? []} withAddress />}
      </Loaded>
    </>
  );
}

/** Number of entries per request. */
const FILE_PAGE = 100;

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
function useLogFile(area: AuditArea | null) {
  const t = useTranslations("account.log");
  const columns = columnsWith(useAuditWords());
  const { client } = api.useUtils();
  return useMutation({
    mutationFn: async () => {
      const { csv } = await import("../subscribers/export");
      const found: AuditEntry[] = [];
      let cursor: string | null = null;
      do {
        const page: Outputs["account"]["auditLog"] = await client.account.auditLog.query({
          limit: FILE_PAGE,
          cursor,
          area,
        });
        found.push(...page.items);
        cursor = page.next;
      } while (cursor !== null);
      const rows = found.map((entry) => Object.values(columns).map((of) => of(entry)));
      saveFile("log.csv", "text/csv", csv([Object.keys(columns), ...rows]));
      return found.length;
    },
    onSuccess: (n) => notify(t("saved", { n })),
    onError: notifyError,
    ...changesNothing,
  });
}
