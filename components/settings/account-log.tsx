"use client";
import { Button, Group, Select } from "@mantine/core";
import { useState } from "react";
import { type AuditArea, auditAreaNames } from "@/server/contract/audit-actions";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { type AuditEntry, AuditLog, whoOf, wordsOf } from "../ui/audit-log";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { count } from "../ui/numbers";

const PAGE = 20;
/** Read at a time for a file. */
const LARGE_PAGE = 100;

const areaWords: Record<AuditArea, string> = {
  people: "People and suppressions",
  imports: "Imports",
  mails: "Mails",
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
    {
      initialCursor: null,
      getNextPageParam: (last) => (last.length === PAGE ? (last.at(-1)?.id ?? null) : null),
    },
  );
  const { save, isSaving } = useLogFile(area);
  return (
    <>
      <Group gap="xs" mb="xs" justify="space-between">
        <Select
          aria-label="What kind"
          placeholder="Everything"
          clearable
          data={areas}
          value={area}
          onChange={(value) => setArea(value as AuditArea | null)}
        />
        {mayExport && (
          <Button variant="default" loading={isSaving} onClick={() => save().catch(notifyError)}>
            Export as CSV
          </Button>
        )}
      </Group>
      <Loaded query={query} rows={5}>
        {({ pages }) => <AuditLog entries={pages.flat()} withAddress />}
      </Loaded>
    </>
  );
}

const columns: Record<string, (entry: AuditEntry) => string> = {
  time: ({ at }) => at.toISOString(),
  who: whoOf,
  what: wordsOf,
  newsletter: ({ newsletter }) => newsletter ?? "",
  address: ({ address }) => address ?? "",
  action: ({ action }) => action,
  details: ({ detail }) => (detail ? JSON.stringify(detail) : ""),
};

/** Saves all entries of an area, newest first. */
function useLogFile(area: AuditArea | null) {
  const { client } = api.useUtils();
  const [isSaving, setSaving] = useState(false);
  async function save() {
    setSaving(true);
    try {
      const { csv, saveFile } = await import("../people/export");
      const found: AuditEntry[] = [];
      for (let cursor: string | null = null; ; ) {
        const page: AuditEntry[] = await client.account.auditLog.query({ limit: LARGE_PAGE, cursor, area });
        found.push(...page);
        cursor = page.at(-1)?.id ?? null;
        if (page.length < LARGE_PAGE) break;
      }
      const rows = found.map((entry) => Object.values(columns).map((of) => of(entry)));
      saveFile("log.csv", "text/csv", csv([Object.keys(columns), ...rows]));
      notify(`${count(found.length)} ${found.length === 1 ? "entry" : "entries"} saved.`);
    } finally {
      setSaving(false);
    }
  }
  return { save, isSaving };
}
