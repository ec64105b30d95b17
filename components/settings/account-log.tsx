"use client";
import { Button, Group, Select } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { type AuditArea, auditAreaNames } from "@/server/accounts/schema/audit-actions";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { AuditLog } from "../ui/audit-log";
import { Loaded } from "../ui/list-page";
import { useLogFile } from "./use-log-file";

const PAGE = 20;

/** The account's audit log, filtered by area and downloadable. */
export function AccountLog() {
  const t = useTranslations("settings.log");
  const { mayExport } = useViewer();
  const [area, setArea] = useState<AuditArea | null>(null);
  const query = api.account.auditLog.useInfiniteQuery(
    { limit: PAGE, area },
    { initialCursor: null, getNextPageParam: (last) => last.next },
  );
  const { save, isSaving } = useLogFile(area);
  return (
    <>
      <Group gap="xs" mb="xs" justify="space-between">
        <Select
          aria-label={t("area")}
          placeholder={t("everything")}
          clearable
          data={auditAreaNames.map((value) => ({ value, label: t(`areas.${value}`) }))}
          value={area}
          onChange={(value) => setArea(value as AuditArea | null)}
        />
        {mayExport && (
          <Button variant="default" loading={isSaving} onClick={save}>
            {t("export")}
          </Button>
        )}
      </Group>
      <Loaded query={query} rows={5}>
        {({ pages }) => <AuditLog entries={pages.flatMap(({ items }) => items)} withAddress />}
      </Loaded>
    </>
  );
}
