import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import styles from "./people.module.css";
import type { PeopleView } from "./view-state";

export const NEW_PEOPLE_POLL_MS = 10_000;
/** Counts up to this many new people. Above it, the text says "and more". */
const MOST = 50;

type Props = {
  view: PeopleView;
  page: Outputs["people"]["page"];
  /** When the list was fetched, in milliseconds since 1970. */
  readAt: number;
  onShow(): void;
};

/**
 * Counts the people added since the list was fetched. The rows stay in place until staff click the count.
 */
export function NewPeople({ view: { filter, sort: order, from, isReady }, page, readAt, onShow }: Props) {
  const t = useTranslations("people.page");
  const { newsletterId } = useViewer();
  const first = page.items[0]?.id;
  const isAtTop = order === "newest" && from === null && isReady && first !== undefined;
  const { data } = api.people.page.useQuery(
    { newsletterId, filter, order, from: null, limit: MOST },
    {
      enabled: isAtTop,
      refetchInterval: NEW_PEOPLE_POLL_MS,
      staleTime: NEW_PEOPLE_POLL_MS,
      ...(isAtTop && { initialData: page, initialDataUpdatedAt: readAt }),
    },
  );
  // Ids are in the order in which people were added.
  const newer = isAtTop ? (data?.items ?? []).filter(({ id }) => id > first).length : 0;
  return (
    <div className={styles.newer} aria-live="polite">
      {newer > 0 && (
        <Button size="compact-sm" onClick={onShow}>
          {newer === MOST ? t("newerAndMore", { n: newer }) : t("newer", { n: newer })}
        </Button>
      )}
    </div>
  );
}
