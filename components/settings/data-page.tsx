"use client";
import { Button } from "@mantine/core";
import { ExportMenu } from "../people/export-menu";
import { useExport } from "../people/use-export";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { people } from "../ui/numbers";
import { useLogFile } from "./use-log-file";

/** What can be taken along as a file, and who makes backups of everything. */
export function DataPage() {
  const { mayExport } = useViewer();
  return (
    <>
      {mayExport ? (
        <ul className={kit.rows} aria-label="Files">
          <PeopleFile />
          <LogFile />
        </ul>
      ) : (
        <p className={kit.quiet}>Only owners and editors can export people and the audit log.</p>
      )}
      <h2>Backups</h2>
      <p className={kit.quiet}>
        A backup contains all newsletters with their emails, imports and keys. Your operator creates and
        restores backups: see <a href="/docs/operators#backup-and-restore">the operators’ guide</a>.
      </p>
    </>
  );
}

function PeopleFile() {
  const { newsletterId, newsletter } = useViewer();
  const exporting = useExport({ filter: { filters: [] } });
  const counts = api.people.counts.useQuery({ newsletterId });
  const total = counts.data && Object.values(counts.data).reduce((sum, n) => sum + n, 0);
  return (
    <li>
      <div className={kit.entry}>
        <b>People of {newsletter.name}</b>
        <div className={kit.quiet}>
          {total === undefined ? "All people" : people(total)}, in every status, with fields and tags.
        </div>
      </div>
      <ExportMenu exporting={exporting} />
    </li>
  );
}

function LogFile() {
  const { account } = useViewer();
  const { save, isSaving } = useLogFile(null);
  return (
    <li>
      <div className={kit.entry}>
        <b>Audit log of {account.name}</b>
        <div className={kit.quiet}>Account activity in all newsletters, as CSV.</div>
      </div>
      <Button variant="default" loading={isSaving} onClick={save}>
        Export
      </Button>
    </li>
  );
}
