import { Table } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { useCount } from "../ui/numbers";

const columns = ["line", "address", "before", "now"] as const;

/** Shows outcomes that changed between the check and the import. */
export function ImportChanges({ record: { changes, changed } }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const count = useCount();
  return (
    <>
      <Table
        aria-label={t("changes.caption")}
        data={{
          head: columns.map((column) => t(`changes.columns.${column}`)),
          body: changes.map(({ line, email, was, is }) => [
            count(line),
            email,
            t(`changes.outcomes.${was}`),
            t(`changes.outcomes.${is}`),
          ]),
        }}
      />
      {changed > changes.length && <p>{t("andMore", { n: changed - changes.length })}</p>}
    </>
  );
}
