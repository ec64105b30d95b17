"use client";
import { ActionIcon, Button, Group } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { type Language, languageCookie } from "@/server/kernel/languages";
import type { SavedSegment } from "@/server/subscribers/schema/segments";
import type { Viewer } from "@/server/trpc/viewer";
import { BulkActionStatus } from "../bulk-actions/bulk-action-status";
import { useRecentSignIn } from "../sign-in/who-it-is";
import { api, changesFrame } from "../trpc";
import { icons } from "../ui/icons";
import { notifying, shownUndoable } from "../ui/notify";
import { onDemand, useNearParts } from "../ui/on-demand";
import { Time } from "../ui/time";
import { leave, useLeaveGuard } from "../ui/unsaved";
import { offerOfKey } from "../ui/verbs";
import { Navigation } from "./navigation";
import { places } from "./places";
import styles from "./shell.module.css";
import { useShortcuts } from "./shortcuts";
import { Switcher } from "./switcher";
import { useViewer, ViewerProvider } from "./viewer";

// Loaded on demand.
const Palette = onDemand(() => import("./command-palette"), { isNear: true });
const RecentSignInDialog = onDemand(() => import("../sign-in/who-it-is-dialog"));
const LeaveQuestion = onDemand(() => import("./leave-question"));
const ShortcutList = onDemand(() => import("./shortcut-list"));

type Props = { viewer: Viewer; newsletterId: string; segments: SavedSegment[]; children: ReactNode };

/** The frame of each newsletter page: the navigation and the keyboard shortcuts. */
export function Shell({ viewer, newsletterId, segments, children }: Props) {
  const t = useTranslations("shell.frame");
  const router = useRouter();
  const pathname = usePathname();
  const [menuOpen, setMenuOpen] = useState(false);
  // Counts the requests for the palette. Each request opens it again.
  const [paletteAsked, setPaletteAsked] = useState(0);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  // The dialog stays after the first question. It closes itself, and returns the focus.
  const [hasAsked, setHasAsked] = useState(false);
  if (useRecentSignIn() && !hasAsked) setHasAsked(true);
  const [hasChanged, setHasChanged] = useState(false);
  if (useLeaveGuard(router.push) && !hasChanged) setHasChanged(true);
  const base = `/n/${newsletterId}`;
  useNearParts();
  useLanguageCookie(viewer.staff.language);
  const openPalette = () => setPaletteAsked((times) => times + 1);
  const openShortcuts = () => setShortcutsOpen(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place closes the menu
  useEffect(() => setMenuOpen(false), [pathname]);

  // The shortcut also works in input fields and in the editor.
  useHotkeys([["mod+K", openPalette]], [], true);
  useShortcuts(
    {
      "?": openShortcuts,
      "mod+z": () => shownUndoable()?.undo(),
      ...Object.fromEntries(
        places.map(({ key, path }) => [`g ${key}`, () => leave(() => router.push(base + path))]),
      ),
    },
    offerOfKey,
  );

  return (
    <ViewerProvider viewer={viewer} newsletterId={newsletterId} segments={segments}>
      <a className={styles.skip} href="#content">
        {t("skip")}
      </a>
      <div className={styles.frame}>
        <header className={styles.bar}>
          <ActionIcon
            size={40}
            aria-expanded={menuOpen}
            aria-controls="navigation"
            aria-label={menuOpen ? t("closeMenu") : t("openMenu")}
            onClick={() => setMenuOpen(!menuOpen)}
          >
            {menuOpen ? <icons.close /> : <icons.menu />}
          </ActionIcon>
          <Switcher />
          <ActionIcon size={40} aria-label={t("search")} onClick={openPalette}>
            <icons.search />
          </ActionIcon>
        </header>
        <div className={styles.side} id="navigation" data-open={menuOpen || undefined}>
          <Navigation onSearch={openPalette} onShortcuts={openShortcuts} />
          <div className={styles.status}>
            <BulkActionStatus />
          </div>
        </div>
        <main className={styles.content} id="content" tabIndex={-1}>
          <ClosedNotice />
          <MailNotice />
          {children}
        </main>
      </div>
      {paletteAsked > 0 && <Palette opened={paletteAsked} onShortcuts={openShortcuts} />}
      {hasAsked && <RecentSignInDialog email={viewer.staff.email} />}
      {hasChanged && <LeaveQuestion />}
      {shortcutsOpen && <ShortcutList onClose={() => setShortcutsOpen(false)} />}
    </ViewerProvider>
  );
}

/** A notice on every page of an archived or deleted newsletter: the meaning, and the button to restore it. */
function ClosedNotice() {
  const t = useTranslations("shell.closed");
  const { newsletterId, newsletter, isOwner } = useViewer();
  const { name, archivedAt, removeAt } = newsletter;
  const reopen = api.newsletters.reopen.useMutation({
    ...changesFrame,
    ...notifying(t("restored", { name })),
  });
  if (archivedAt === null) return null;
  return (
    <Group component="p" gap="4px 12px" className={styles.mailNotice} role="status">
      <span>
        {removeAt ? t.rich("deleted", { name, time: () => <Time at={removeAt} /> }) : t("archived", { name })}
      </span>
      {isOwner ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={reopen.isPending}
          onClick={() => reopen.mutate({ newsletterId })}
        >
          {t("restore")}
        </Button>
      ) : (
        <span>{t("ownerCanRestore")}</span>
      )}
    </Group>
  );
}

/** A notice while no emails are sent, with the number of stored emails. The list of emails has its own. */
function MailNotice() {
  const t = useTranslations("shell.mailNotice");
  const { newsletterId, sends } = useViewer();
  const isNeeded = usePathname() !== `/n/${newsletterId}/mails` && !sends;
  const kept = api.mails.kept.useQuery({ newsletterId }, { enabled: isNeeded, refetchInterval: 10_000 });
  if (!isNeeded) return null;
  const n = kept.data ?? 0;
  const link = (chunks: ReactNode) => <Link href={`/n/${newsletterId}/mails`}>{chunks}</Link>;
  return (
    <p className={styles.mailNotice} role="status">
      {n > 0 ? t.rich("notSetUpAndStored", { n, link }) : t.rich("notSetUp", { link })}
    </p>
  );
}

const YEAR_SECONDS = 365 * 24 * 3600;

/** Stores the staff member's language in a cookie, which the server can read before authentication. */
function useLanguageCookie(language: Language | null): void {
  const router = useRouter();
  useEffect(() => {
    const kept = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${languageCookie}=`));
    if ((kept?.split("=")[1] ?? null) === language) return;
    const life = language ? YEAR_SECONDS : 0;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before version 140
    document.cookie = `${languageCookie}=${language ?? ""}; Path=/; SameSite=Lax; Max-Age=${life}`;
    router.refresh();
  }, [language, router]);
}
