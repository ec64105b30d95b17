import { useEffect, useRef } from "react";
import { makeStore, useStored } from "./store";

/** The forms on the page with unsaved changes. */
const forms = makeStore<readonly symbol[]>([]);
/** The history entry of the page whose form was changed. */
let entry: { href: string; state: unknown } | null = null;

/** The action that would lose changes. It waits for an answer to the question, which loads with the first change. */
export const leaving = makeStore<(() => void) | null>(null);

/** Whether leaving the page would lose something. */
export const hasUnsaved = () => forms.get().length > 0;

/**
 * Asks before a link, Back or the closed tab loses unsaved changes. @returns whether there are any, so that the page loads the
 * question
 */
export function useLeaveGuard(open: (href: string) => void): boolean {
  const opens = useRef(open);
  opens.current = open;
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const onClick = (event: MouseEvent) => {
      const url = hasUnsaved() ? addressLeftFor(event) : null;
      if (!url) return;
      // The listener stops the click before React and Next see it.
      event.preventDefault();
      event.stopPropagation();
      const isOfDashboard = url.origin === window.location.origin && url.pathname.startsWith("/n/");
      leave(() => (isOfDashboard ? opens.current(url.href) : window.location.assign(url)));
    };
    window.addEventListener("click", onClick, { capture: true, signal });
    window.addEventListener("popstate", onTraverse, { capture: true, signal });
    // The browser shows its own question.
    window.addEventListener("beforeunload", (event) => hasUnsaved() && event.preventDefault(), { signal });
    return () => listening.abort();
  }, []);
  return useStored(forms).length > 0;
}

/** Back and Forward change the address first. The page's own entry is added again until staff agree to leave. */
function onTraverse(event: PopStateEvent): void {
  // A link to a place on this page has no state.
  if (!hasUnsaved() || !entry || !event.state) return;
  // The listener stops the event before Next sees it.
  event.stopImmediatePropagation();
  window.history.pushState(entry.state, "", entry.href);
  leave(() => window.history.back());
}

/** The address that a click opens in this tab; null if the page stays. */
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

/** Ends the question before leaving: the changes are saved or discarded. */
export const forgetUnsaved = () => forms.set([]);

/** Calls `go` at once, or after staff agree to discard unsaved changes. */
export function leave(go: () => void): void {
  // A page without the question doesn't listen.
  if (!hasUnsaved() || !forms.isUsed()) go();
  else leaving.set(go);
}

/**
 * Asks before the form is left with unsaved changes: by a link, a key, ⌘K, Back, or closing the tab, the dialog or the
 * panel.
 */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = Symbol();
    entry = { href: window.location.href, state: window.history.state };
    forms.set([...forms.get(), form]);
    return () => forms.set(forms.get().filter((other) => other !== form));
  }, [isDirty]);
}
