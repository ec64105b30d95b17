import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import styles from "./people.module.css";
import type { PeopleView } from "./view-state";

const POLL_MS = 10_000;
/** Counts up to this many new people. Above it, the text says "and more". */
const MOST = 50;

type Props = {
  view: PeopleView;
  page: UseQueryResult<Outputs["people"]["page"], unknown>;
  total: { refetch(): unknown };
};

/** Counts the people added since the list was fetched. The rows stay in place until staff click the count. */
export function NewPeople({ view: { filter, order, from, isReady }, page, total }: Props) {
  const t = useTranslations("people.page");
  const { newsletterId } = useViewer();
  const first = page.data?.items[0]?.id;
  const isCounted = order === "newest" && from === null && isReady && !page.isPlaceholderData;
  const { data } = api.people.page.useQuery(
    { newsletterId, filter, order, from: null, limit: MOST },
    {
      enabled: isCounted,
      refetchInterval: POLL_MS,
      staleTime: POLL_MS,
      ...(isCounted && { initialData: page.data, initialDataUpdatedAt: page.dataUpdatedAt }),
    },
  );
  // Ids are in the order in which people were added.
  const newer = isCounted && first && data ? data.items.filter(({ id }) => id > first).length : 0;
  const show = () => {
    void Promise.all([page.refetch(), total.refetch()]);
    window.scrollTo({ top: 0 });
  };
  return (
    <div className={styles.newer} aria-live="polite">
      {newer > 0 && (
        <Button size="compact-sm" onClick={show}>
          {newer === MOST ? t("newerAndMore", { n: newer }) : t("newer", { n: newer })}
        </Button>
      )}
    </div>
  );
}
