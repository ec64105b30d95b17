import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import styles from "./kit.module.css";
import { outageOf, useOutage } from "./outage";
import { Failed, Loading } from "./states";

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
  /** The placeholder for content that isn't a list. */
  standIn?: ReactNode;
  /** An <Empty> for an empty result; it replaces the content. */
  empty?: ReactNode;
  children(data: Data): ReactNode;
};

/** Renders a query's content, or its loading, failed or empty state. A paged list gets a button for more rows. */
export function Loaded<Data>({ query, rows = 8, standIn, empty, children }: LoadedProps<Data>) {
  const { data, error, isPending } = query;
  // During an outage, the page's outage bar reports the error and retries the query.
  const isAway = useOutage() !== null && !!error && outageOf(error) !== null;
  return (
    <>
      {!!error && !isAway && <Failed error={error} retry={() => query.refetch()} />}
      {(isPending || (isAway && data === undefined)) && (standIn ?? <Loading rows={rows} />)}
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
      <Loaded query={query} empty={empty} {...(rows && { rows })}>
        {children}
      </Loaded>
      {footer}
    </DashboardPage>
  );
}

/** The button for older entries below a list, while there are any. */
export function Older({ list }: { list: Loadable<unknown> }) {
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
