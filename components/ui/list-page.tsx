import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import styles from "./kit.module.css";
import { outageOf, useOutage } from "./outage";
import { Failed, Loading } from "./states";

type PageProps = {
  title: ReactNode;
  /** Quietly beside the title: a count. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** A <SidePanel> over the page. */
  panel?: ReactNode;
  children: ReactNode;
};

/** A page's heading with its buttons, its content, and what is open over it. */
export function DashboardPage({ title, aside, actions, panel, children }: PageProps) {
  return (
    <>
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>{title}</h1>
          {aside !== undefined && <span className={styles.aside}>{aside}</span>}
          {actions && <div className={styles.actions}>{actions}</div>}
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
  /** How many rows stand in while it loads. */
  rows?: number;
  /** What stands in instead, where it is no list. */
  standIn?: ReactNode;
  /** An <Empty>, when what was found is nothing; shown in place of the content. */
  empty?: ReactNode;
  children(data: Data): ReactNode;
};

/** What a query found: the content, or that it loads, failed or is empty; below a paged list the button for more. */
export function Loaded<Data>({ query, rows = 8, standIn, empty, children }: LoadedProps<Data>) {
  const { data, error, isPending } = query;
  // The page's one bar says so then, and has it asked again.
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
    /** Above the list: filters, or what holds for all of it. */
    tools?: ReactNode;
    /** Below the list, whatever it shows. */
    footer?: ReactNode;
  };

/** A page that is one list: heading, tools, the list in each of its states, and what is open over it. */
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

/** Below a list, newest first: what came before, while there is any. */
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
