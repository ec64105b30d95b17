import { Group } from "@mantine/core";
import Link from "next/link";
import type { ImportRecord } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { count } from "../ui/numbers";
import { Time } from "../ui/time";
import styles from "./pages.module.css";

/** People on the list who are unsubscribed in the pasted one: nothing was changed, and somebody must look at them. */
export function StillHereList({ record: { id, stillHere } }: { record: ImportRecord }) {
  const { newsletterId } = useViewer();
  const { data: people = [] } = api.imports.stillHere.useQuery({ newsletterId, importId: id });
  const more = stillHere - people.length;
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="still-here">
      <h2 id="still-here">Unsubscribed in the list, but still here</h2>
      <ul className={styles.imports} style={{ marginTop: 8 }}>
        {people.map(({ id: person, email, status, reason, at }) => (
          <li key={person}>
            <Group justify="space-between" gap="4px 12px" mih={40} px={8} py={4}>
              <Link href={`/n/${newsletterId}/people?import=${id}&importPart=still_here&person=${person}`}>
                {email}
              </Link>
              <span>
                {reason} there{at && ", "}
                {at && <Time at={at} />} · {status} here
              </span>
            </Group>
          </li>
        ))}
        {more > 0 && <li>and {count(more)} more</li>}
      </ul>
    </section>
  );
}
