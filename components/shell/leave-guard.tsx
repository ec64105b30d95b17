"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { forgetUnsaved, hasUnsaved, setQuestion } from "../ui/unsaved";

// A dialog is more than most visits ever ask for.
const LeaveQuestion = dynamic(() => import("./leave-question"), { ssr: false });

/** Asks before a page with unsaved changes is left: by a link, a key, ⌘K, back and forward, or with the tab. */
export function LeaveGuard() {
  const router = useRouter();
  const [go, setGo] = useState<(() => void) | null>(null);

  useEffect(() => {
    const ask = (next: () => void) => setGo(() => next);
    const onClick = (event: MouseEvent) => {
      const url = hasUnsaved() ? addressLeftFor(event) : null;
      if (!url) return;
      // Before React and Next see it.
      event.preventDefault();
      event.stopPropagation();
      const isOfDashboard = url.origin === window.location.origin && url.pathname.startsWith("/n/");
      ask(() => (isOfDashboard ? router.push(url.href) : window.location.assign(url)));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      // The browser asks in its own words.
      if (hasUnsaved()) event.preventDefault();
    };
    setQuestion(ask);
    const endTraversals = askOnTraversals(ask);
    window.addEventListener("click", onClick, true);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      setQuestion(null);
      endTraversals();
      window.removeEventListener("click", onClick, true);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [router]);

  if (!go) return null;
  const answer = (isLeaving: boolean) => {
    setGo(null);
    if (!isLeaving) return;
    forgetUnsaved();
    go();
  };
  return <LeaveQuestion onLeave={() => answer(true)} onStay={() => answer(false)} />;
}

/** The address that a click leads to in this tab, on another page; null when it does not leave this one. */
function addressLeftFor(event: MouseEvent): URL | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return null;
  if (link.target !== "" && link.target !== "_self") return null;
  const url = new URL(link.href);
  if (!/^https?:$/.test(url.protocol)) return null;
  const { origin, pathname } = window.location;
  return url.origin === origin && url.pathname === pathname ? null : url;
}

/** Where in the tab's history the page is; not every browser tells. */
const historyIndex = () => window.navigation?.currentEntry?.index;

/**
 * Back and forward cannot be stopped, only undone: the browser is at the other address already when it tells, and is led back
 * before Next hears of it. @returns ends it
 */
function askOnTraversals(ask: (go: () => void) => void): () => void {
  let at = historyIndex();
  let path = window.location.pathname;
  let isReturning = false;
  const note = () => {
    if (isReturning) return;
    at = historyIndex();
    path = window.location.pathname;
  };
  const onPopState = (event: PopStateEvent) => {
    if (isReturning) {
      event.stopImmediatePropagation();
      isReturning = false;
      return;
    }
    if (!hasUnsaved() || window.location.pathname === path) return note();
    event.stopImmediatePropagation();
    const now = historyIndex();
    // Without a number it was most probably back.
    const by = now === undefined || at === undefined || now === at ? -1 : now - at;
    isReturning = true;
    window.history.go(-by);
    ask(() => window.history.go(by));
  };
  // Next moves on by pushState, of which no event tells: what is changed is changed on the page that is there by then.
  window.addEventListener("input", note, true);
  window.addEventListener("click", note, true);
  window.addEventListener("popstate", onPopState, true);
  return () => {
    window.removeEventListener("input", note, true);
    window.removeEventListener("click", note, true);
    window.removeEventListener("popstate", onPopState, true);
  };
}
