import { Button, Group, UnstyledButton } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../trpc";
import { outageOf } from "./error-of";
import { icons } from "./icons";
import styles from "./kit.module.css";
import { useOutage } from "./outage";
import { Loading } from "./states";

type PageProps = {
  title: ReactNode;
  /** A count beside the title. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** A <SidePanel> over the page. */
  panel?: ReactNode;
  children: ReactNode;
};

/** A page with its heading, buttons, content and an optional panel. */
export function DashboardPage({ title, aside, actions, panel, children }: PageProps) {
  return (
    <>
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>{title}</h1>
          {aside !== undefined && <span className={styles.aside}>{aside}</span>}
          {actions && (
            <Group gap="xs" ml="auto">
              {actions}
            </Group>
          )}
        </header>
        {children}
      </div>
      {panel}
    </>
  );
}

/** A query of react-query, paged or not. */
type Loadable<Data> = {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch(): unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?(): unknown;
};
type LoadedProps<Data> = {
  query: Loadable<Data>;
  /** Number of placeholder rows while the query loads. */
  rows?: number;
  /** An <Empty> for an empty result; it replaces the content. */
  empty?: ReactNode;
  children(data: Data): ReactNode;
};

/** Renders a query's content, or its loading, failed or empty state. A paged list gets a button for more rows. */
export function Loaded<Data>({ query, rows, empty, children }: LoadedProps<Data>) {
  const { data, error, isPending } = query;
  // During an outage, the page's outage bar reports the error and retries the query.
  const isAway = useOutage() !== null && !!error && outageOf(error) !== null;
  return (
    <>
      {!!error && !isAway && <Failed error={error} retry={() => query.refetch()} />}
      {(isPending || (isAway && data === undefined)) && <Loading rows={rows} />}
      {!error && empty}
      {data !== undefined && !empty && children(data)}
      <Older list={query} />
    </>
  );
}

type ListPageProps<Data> = Omit<PageProps, "children"> &
  LoadedProps<Data> & {
    /** Content above the list, such as filters. */
    tools?: ReactNode;
    /** Content below the list, in every state. */
    footer?: ReactNode;
  };

/** A page with one list: heading, tools, the list in each state, and an optional panel. */
export function ListPage<Data>({
  tools,
  footer,
  query,
  rows,
  empty,
  children,
  ...page
}: ListPageProps<Data>) {
  return (
    <DashboardPage {...page}>
      {tools}
      <Loaded query={query} empty={empty} rows={rows}>
        {children}
      </Loaded>
      {footer}
    </DashboardPage>
  );
}

type RowProps = ComponentProps<"button"> & { isOpen: boolean };

/** A row of a `styles.list`. It opens an item's panel. */
export function PanelRow({ isOpen, className = "", ...button }: RowProps) {
  return (
    <li data-open={isOpen || undefined}>
      <UnstyledButton
        className={`${styles.row} ${className}`}
        aria-current={isOpen ? "true" : undefined}
        {...button}
      />
    </li>
  );
}

/** The button for older entries below a list, while there are any. */
function Older({ list }: { list: Loadable<unknown> }) {
  const t = useTranslations("ui.list");
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="default"
      mt="md"
      loading={list.isFetchingNextPage ?? false}
      onClick={() => list.fetchNextPage?.()}
    >
      {t("showOlder")}
    </Button>
  );
}

/** Options of a list with a cursor. The previous rows stay until another filter's rows arrive. */
export const byCursor = {
  initialCursor: null,
  getNextPageParam: <Cursor,>(last: { next: Cursor }) => last.next,
  placeholderData: keepPreviousData,
};

type Pages<Item> = { pages: { items: Item[] }[] };

/** All rows that a list with a cursor has read. */
export const itemsOf = <Item,>(data: Pages<Item> | undefined) => data?.pages.flatMap(({ items }) => items);

/** Polling interval for what changes while it is shown. */
export const POLL_MS = 3_000;

/** Polls a list with a cursor until staff open older rows. */
export const pollNewest = ({ state }: { state: { data: Pages<unknown> | undefined } }) =>
  (state.data?.pages.length ?? 1) > 1 ? false : POLL_MS;

/** The failed state: the error and a retry button. */
function Failed({ error, retry }: { error: unknown; retry(): void }) {
  const t = useTranslations("ui.list");
  return (
    <div className={styles.banner} data-tone="failed" role="alert">
      <icons.alert />
      <p>{rejectionOf(error).message}</p>
      <Button variant="default" onClick={retry}>
        {t("tryAgain")}
      </Button>
    </div>
  );
}
