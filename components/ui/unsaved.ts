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
