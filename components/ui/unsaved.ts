import { useEffect } from "react";

/** The forms on the page that have changes nobody has saved. */
const forms = new Set<symbol>();

type Question = (go: () => void) => void;
let question: Question | null = null;

/** Whether leaving the page would lose something. */
export const hasUnsaved = () => forms.size > 0;

/** Nothing is asked any more: it is saved, or to be lost. */
export const forgetUnsaved = () => forms.clear();

/** @param next asks whether to leave, and calls what it is given when the answer is yes */
export function setQuestion(next: Question | null): void {
  question = next;
}

/** Goes to another page: at once, or when whoever is asked does so without saving. */
export function leave(go: () => void): void {
  if (question && hasUnsaved()) question(go);
  else go();
}

/** Has a page with a <LeaveGuard> asked about before it is left, as long as the form's changes are not saved. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = Symbol();
    forms.add(form);
    return () => void forms.delete(form);
  }, [isDirty]);
}

/** Where in the tab's history the page is; not every browser tells. */
const historyIndex = () => window.navigation?.currentEntry?.index;

/**
 * Back and forward cannot be stopped, only undone: the browser is at the other address already when it tells, and is led back
 * before Next hears of it: for that the frame around all pages listens, before Next does. @returns ends it
 */
export function watchTraversals(): () => void {
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
    if (!question || !hasUnsaved() || window.location.pathname === path) return note();
    event.stopImmediatePropagation();
    const now = historyIndex();
    // Without a number it was most probably back.
    const by = now === undefined || at === undefined || now === at ? -1 : now - at;
    isReturning = true;
    window.history.go(-by);
    question(() => window.history.go(by));
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
