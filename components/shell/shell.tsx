"use client";
import dynamic from "next/dynamic";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import type { Viewer } from "@/server/trpc/signed-in";
import { icons } from "../ui/icons";
import { Navigation } from "./navigation";
import { places } from "./places";
import styles from "./shell.module.css";
import { useShortcuts } from "./shortcuts";
import { Switcher } from "./switcher";
import { ViewerProvider } from "./viewer";

// Neither is there before it is asked for.
const Palette = dynamic(() => import("./palette"), { ssr: false });
const BulkActionStatus = dynamic(() => import("../bulk-actions/bulk-action-status"), { ssr: false });
const ShortcutList = dynamic(() => import("./shortcut-list"), { ssr: false });

type Props = { viewer: Viewer; newsletterId: string; children: ReactNode };

/** The frame of every page of a newsletter: where one is, where one can go, and the keys for both. */
export function Shell({ viewer, newsletterId, children }: Props) {
  const router = useRouter();
  const pathname = usePathname();
  const [menuOpen, setMenuOpen] = useState(false);
  const [palette, setPalette] = useState(0);
  const [listed, setListed] = useState(false);
  const base = `/n/${newsletterId}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place closes the menu
  useEffect(() => setMenuOpen(false), [pathname]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      setPalette((times) => times + 1);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  useShortcuts({
    "?": () => setListed(true),
    ...Object.fromEntries(places.map(({ key, path }) => [`g ${key}`, () => router.push(base + path)])),
  });

  const openPalette = () => setPalette((times) => times + 1);
  return (
    <ViewerProvider viewer={viewer} newsletterId={newsletterId}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <div className={styles.frame}>
        <header className={styles.bar}>
          <button
            type="button"
            className={styles.square}
            aria-expanded={menuOpen}
            aria-controls="navigation"
            aria-label={menuOpen ? "Close the menu" : "Open the menu"}
            onClick={() => setMenuOpen(!menuOpen)}
          >
            {menuOpen ? <icons.close /> : <icons.menu />}
          </button>
          <Switcher />
          <button type="button" className={styles.square} aria-label="Search and go" onClick={openPalette}>
            <icons.search />
          </button>
        </header>
        <div className={styles.barRuns}>
          <BulkActionStatus />
        </div>
        <div className={styles.side} id="navigation" data-open={menuOpen || undefined}>
          <div className={styles.sideTop}>
            <Switcher />
          </div>
          <div className={styles.sideRuns}>
            <BulkActionStatus />
          </div>
          <Navigation onSearch={openPalette} onShortcuts={() => setListed(true)} />
        </div>
        <main className={styles.content} id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      {palette > 0 && <Palette asked={palette} onShortcuts={() => setListed(true)} />}
      {listed && <ShortcutList onClose={() => setListed(false)} />}
    </ViewerProvider>
  );
}
