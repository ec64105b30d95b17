/** Shows the dialog that asks, and hears whether whoever is there has signed in again. */
type Dialog = (answered: (signedIn: boolean) => void) => void;

let dialog: Dialog | null = null;
let loadDialog: (() => void) | null = null;
/** Who asked before the dialog was there. */
let waiting: ((signedIn: boolean) => void) | null = null;
let asking: Promise<boolean> | null = null;

/** Names the dialog of this page; null when it is gone. */
export function setWhoItIsDialog(shown: Dialog | null): void {
  dialog = shown;
  if (shown && waiting) shown(waiting);
  waiting = null;
}

/** Names what loads the dialog of this page when it is needed; null when the page is gone. */
export function setWhoItIsLoader(load: (() => void) | null): void {
  loadDialog = load;
}

/** Asks whoever is there to sign in again; several calls at once are one question. @returns whether they did */
export function askWhoItIs(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    if (dialog) return dialog(resolve);
    if (!loadDialog) return resolve(false);
    waiting = resolve;
    loadDialog();
  }).finally(() => {
    asking = null;
  });
  return asking;
}
