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
import Link from "next/link";
import type { ImportRecord } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { count } from "../ui/numbers";
import { Time } from "../ui/time";

const words = { unsubscribed: "Unsubscribed", bounced: "Bounced", complained: "Complained" } as const;

/** People of the list whom the pasted one calls unsubscribed: nothing was changed, and somebody must look at them. */
export function StillHere({ record: { id, stillHere } }: { record: ImportRecord }) {
  const { newsletterId } = useViewer();
  const { data: people = [] } = api.imports.stillHere.useQuery({ newsletterId, importId: id });
  const more = stillHere - people.length;
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="still-here">
      <h2 id="still-here">Left according to the list, and still here</h2>
      <Table>
        <TableCaption className="sr">People who left according to the list, and are on this one</TableCaption>
        <TableThead>
          <TableTr>
            {["Who", "The list says", "Here"].map((title) => (
              <TableTh key={title} scope="col" fw={500} c="dimmed">
                {title}
              </TableTh>
            ))}
          </TableTr>
        </TableThead>
        <TableTbody>
          {people.map(({ id: person, email, status, reason, at }) => (
            <TableTr key={person}>
              <TableTd>
                <Link href={`/n/${newsletterId}/people?import=${id}&importPart=still_here&person=${person}`}>
                  {email}
                </Link>
              </TableTd>
              <TableTd>
                {words[reason]} {at && <Time at={at} />}
              </TableTd>
              <TableTd>{status}</TableTd>
            </TableTr>
          ))}
        </TableTbody>
        {more > 0 && (
          <TableTfoot>
            <TableTr>
              <TableTd colSpan={3}>and {count(more)} more</TableTd>
            </TableTr>
          </TableTfoot>
        )}
      </Table>
    </section>
  );
}
