import { Group } from "@mantine/core";
import Link from "next/link";
import { useTranslations } from "use-intl";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Time } from "../ui/time";
import styles from "./pages.module.css";

/** Subscribers who are unsubscribed in the pasted list. The import left them unchanged, so staff must look at them. */
export function ActiveDespiteOptOutList({ record: { id, activeDespiteOptOut } }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const { newsletterId } = useViewer();
  const { data: people = [] } = api.imports.activeDespiteOptOut.useQuery({ newsletterId, importId: id });
  const more = activeDespiteOptOut - people.length;
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="still-here">
      <h2 id="still-here">{t("activeDespiteOptOut.title")}</h2>
      <ul className={styles.imports} style={{ marginTop: 8 }}>
        {people.map(({ id: person, email, status, reason, at }) => (
          <li key={person}>
            <Group justify="space-between" gap="4px 12px" mih={40} px={8} py={4}>
              <Link href={`/n/${newsletterId}/people?import=${id}&importPart=still_here&person=${person}`}>
                {email}
              </Link>
              <span>
                {t(`activeDespiteOptOut.there.${reason}`)}
                {at && ", "}
                {at && <Time at={at} />} · {t(`activeDespiteOptOut.here.${status}`)}
              </span>
            </Group>
          </li>
        ))}
        {more > 0 && <li>{t("andMore", { n: more })}</li>}
      </ul>
    </section>
  );
}
