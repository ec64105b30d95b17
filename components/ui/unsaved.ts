import { useEffect } from "react";

/** The forms on the page with unsaved changes. */
const forms = new Set<symbol>();

type Question = (go: () => void) => void;
let question: Question | null = null;

/** Whether leaving the page would lose something. */
export const hasUnsaved = () => forms.size > 0;

/** Ends the question before leaving: the changes are saved or discarded. */
export const forgetUnsaved = () => forms.clear();

/** @param next asks whether to leave, and calls its argument after a yes */
export function setQuestion(next: Question | null): void {
  question = next;
}

/** Calls `go` at once, or after staff agree to discard unsaved changes. */
export function leave(go: () => void): void {
  if (question && hasUnsaved()) question(go);
  else go();
}

/** Makes the <LeaveGuard> ask before the page is left, while the form has unsaved changes. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = Symbol();
    forms.add(form);
    return () => void forms.delete(form);
  }, [isDirty]);
}
