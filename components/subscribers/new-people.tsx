import { Button } from "@mantine/core";
import { useEffect } from "react";
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
  /** The list, and the time of its fetch as of Date.now(). */
  page: Outputs["people"]["page"];
  readAt: number;
  onShow(): void;
};

/**
 * Counts the people added since the list was fetched. The rows stay in place until staff click the count. An empty
 * list shows its first person without a click.
 */
export function NewPeople({ view: { filter, order, from, isReady }, page, readAt, onShow }: Props) {
  const t = useTranslations("people.page");
  const { newsletterId } = useViewer();
  const isAtTop = order === "newest" && from === null && isReady;
  const { data } = api.people.page.useQuery(
    { newsletterId, filter, order, from: null, limit: MOST },
    {
      enabled: isAtTop,
      refetchInterval: POLL_MS,
      staleTime: POLL_MS,
      ...(isAtTop && { initialData: page, initialDataUpdatedAt: readAt }),
    },
  );
  // Null for an empty list.
  const first = page.items[0]?.id ?? null;
  // Ids are in the order in which people were added.
  const newer = isAtTop ? (data?.items ?? []).filter(({ id }) => first === null || id > first).length : 0;
  const isFirst = first === null && newer > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it becomes so
  useEffect(() => {
    if (isFirst) onShow();
  }, [isFirst]);
  return (
    <div className={styles.newer} aria-live="polite">
      {newer > 0 && !isFirst && (
        <Button size="compact-sm" onClick={onShow}>
          {newer === MOST ? t("newerAndMore", { n: newer }) : t("newer", { n: newer })}
        </Button>
      )}
    </div>
  );
}
