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
import type { ImportRecord, RowOutcome } from "@/server/contract/imports";
import { count } from "../ui/numbers";

const words: Record<RowOutcome, string> = {
  new_active: "new, as active",
  new_pending: "new, as pending",
  new_unsubscribed: "new, as unsubscribed",
  already_active: "already on the list, as active",
  already_pending: "already on the list, as pending",
  unsubscribed: "unsubscribed",
  suppressed: "suppressed",
};

/** What became something else between the check and the import. */
export function ImportChanges({ record: { changes, changed } }: { record: ImportRecord }) {
  return (
    <Table>
      <TableCaption className="sr">Changes since the check</TableCaption>
      <TableThead>
        <TableTr>
          {["Line", "Address", "Before", "Now"].map((title) => (
            <TableTh key={title} scope="col" fw={500} c="dimmed">
              {title}
            </TableTh>
          ))}
        </TableTr>
      </TableThead>
      <TableTbody>
        {changes.map(({ line, email, was, is }) => (
          <TableTr key={`${line} ${email}`}>
            <TableTd>{count(line)}</TableTd>
            <TableTd>{email}</TableTd>
            <TableTd>{words[was]}</TableTd>
            <TableTd>{words[is]}</TableTd>
          </TableTr>
        ))}
      </TableTbody>
      {changed > changes.length && (
        <TableTfoot>
          <TableTr>
            <TableTd colSpan={4}>and {count(changed - changes.length)} more</TableTd>
          </TableTr>
        </TableTfoot>
      )}
    </Table>
  );
}
