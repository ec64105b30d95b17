"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { ExportMenu } from "../subscribers/export-menu";
import { useExport } from "../subscribers/use-export";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Row } from "../ui/row";
import { useLogFile } from "./use-log-file";

/** Data exports, and who makes the full backups. */
export function DataPage() {
  const t = useTranslations("settings.data");
  const { mayExport } = useViewer();
  return (
    <>
      {mayExport ? (
        <ul className={kit.rows} aria-label={t("files")}>
          <PeopleFile />
          <LogFile />
        </ul>
      ) : (
        <p className={kit.quiet}>{t("noExport")}</p>
      )}
      <h2>{t("backups.heading")}</h2>
      <p className={kit.quiet}>
        {t.rich("backups.text", {
          link: (chunks) => <a href="/docs/operators#backup-and-restore">{chunks}</a>,
        })}
      </p>
    </>
  );
}

function PeopleFile() {
  const t = useTranslations("settings.data.people");
  const { newsletterId, newsletter } = useViewer();
  const exporting = useExport({ filter: { filters: [] } });
  const counts = api.people.counts.useQuery({ newsletterId });
  const total = counts.data && Object.values(counts.data).reduce((sum, n) => sum + n, 0);
  return (
    <Row
      title={t("title", { newsletter: newsletter.name })}
      note={total === undefined ? t("all") : t("counted", { n: total })}
    >
      <ExportMenu exporting={exporting} />
    </Row>
  );
}

function LogFile() {
  const t = useTranslations("settings.data.log");
  const { account } = useViewer();
  const { save, isSaving } = useLogFile(null);
  return (
    <Row title={t("title", { account: account.name })} note={t("text")}>
      <Button variant="default" loading={isSaving} onClick={save}>
        {t("export")}
      </Button>
    </Row>
  );
}
