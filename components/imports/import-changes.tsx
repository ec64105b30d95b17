import {
  Table,
  TableCaption,
  TableTbody,
  TableTd,
  TableTfoot,
  TableTh,
  TableThead,
  TableTr,
} from "@mantine/core";
import { useTranslations } from "use-intl";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { useCount } from "../ui/numbers";

const columns = ["line", "address", "before", "now"] as const;

/** Shows outcomes that changed between the check and the import. */
export function ImportChanges({ record: { changes, changed } }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const count = useCount();
  return (
    <Table>
      <TableCaption className="sr">{t("changes.caption")}</TableCaption>
      <TableThead>
        <TableTr>
          {columns.map((column) => (
            <TableTh key={column} scope="col" fw={500} c="dimmed">
              {t(`changes.columns.${column}`)}
            </TableTh>
          ))}
        </TableTr>
      </TableThead>
      <TableTbody>
        {changes.map(({ line, email, was, is }) => (
          <TableTr key={`${line} ${email}`}>
            <TableTd>{count(line)}</TableTd>
            <TableTd>{email}</TableTd>
            <TableTd>{t(`changes.outcomes.${was}`)}</TableTd>
            <TableTd>{t(`changes.outcomes.${is}`)}</TableTd>
          </TableTr>
        ))}
      </TableTbody>
      {changed > changes.length && (
        <TableTfoot>
          <TableTr>
            <TableTd colSpan={4}>{t("andMore", { n: changed - changes.length })}</TableTd>
          </TableTr>
        </TableTfoot>
      )}
    </Table>
  );
}
