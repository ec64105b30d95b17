"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { DashboardPage } from "../ui/list-page";
import styles from "./frame.module.css";
import { useSettingsPages } from "./pages";

/** The frame of each settings page: heading, navigation and description. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const t = useTranslations("settings.frame");
  const { newsletterId } = useViewer();
  const base = `/n/${newsletterId}`;
  const pathname = usePathname();
  const here = useSettingsPages().find(({ path }) => base + path === pathname);
  return (
    <DashboardPage
      title={t.rich("heading", {
        page: here?.label ?? "",
        parent: (chunks) => <span className={styles.parent}>{chunks}</span>,
      })}
    >
      <div className={styles.frame}>
        <SettingsNavigation base={base} pathname={pathname} />
        <section aria-label={here?.label} className={styles.content} data-wide={here?.wide}>
          {here?.about && <p className={styles.text}>{here.about}</p>}
          {children}
        </section>
      </div>
    </DashboardPage>
  );
}

/** A list at the side, or a scrolling row on narrow screens. */
function SettingsNavigation({ base, pathname }: { base: string; pathname: string }) {
  const t = useTranslations("settings.frame");
  const pages = useSettingsPages();
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each page
  useEffect(() => {
    const row = list.current;
    if (!row) return;
    const observer = new ResizeObserver(() => {
      const current = row.querySelector<HTMLElement>("[aria-current]");
      if (current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
    });
    // The observer also calls back at once.
    observer.observe(row);
    return () => observer.disconnect();
  }, [pathname]);
  return (
    <nav aria-label={t("navigation")} className={styles.navigation}>
      <ul ref={list}>
        {pages.map(({ path, label, group }, i) => (
          <li key={path} data-first={group !== pages[i - 1]?.group || undefined}>
            <Link href={base + path} aria-current={base + path === pathname ? "page" : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
