"use client";
import { Button, Group, Select } from "@mantine/core";
import { useState } from "react";
import { type AuditArea, auditAreaNames } from "@/server/contract/audit-actions";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { AuditLog } from "../ui/audit-log";
import { Loaded } from "../ui/list-page";
import { useLogFile } from "./use-log-file";

const PAGE = 20;

const areaWords: Record<AuditArea, string> = {
  people: "People and suppressions",
  imports: "Imports",
  mails: "Emails",
  api: "API keys and webhooks",
  newsletter: "Newsletters, fields, segments",
  staff: "Staff and sign-ins",
};
const areas = auditAreaNames.map((value) => ({ value, label: areaWords[value] }));

/** What happened in the whole account: of one kind, and as a file. */
export function AccountLog() {
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
          aria-label="Type"
          placeholder="Everything"
          clearable
          data={areas}
          value={area}
          onChange={(value) => setArea(value as AuditArea | null)}
        />
        {mayExport && (
          <Button variant="default" loading={isSaving} onClick={save}>
            Export as CSV
          </Button>
        )}
      </Group>
      <Loaded query={query} rows={5}>
        {({ pages }) => <AuditLog entries={pages.flatMap(({ items }) => items)} withAddress />}
      </Loaded>
    </>
  );
}
