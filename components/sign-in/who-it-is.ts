/** Shows the dialog and receives whether the staff member signed in again. */
type Dialog = (answered: (signedIn: boolean) => void) => void;

let dialog: Dialog | null = null;
let loadDialog: (() => void) | null = null;
/** The callback of a request made before the dialog loaded. */
let waiting: ((signedIn: boolean) => void) | null = null;
let asking: Promise<boolean> | null = null;

/** Registers the page's dialog; null when the dialog unmounts. */
export function setRecentSignInDialog(shown: Dialog | null): void {
  dialog = shown;
  if (shown && waiting) shown(waiting);
  waiting = null;
}

/** Registers the loader of the page's dialog; null when the page unmounts. */
export function setRecentSignInLoader(load: (() => void) | null): void {
  loadDialog = load;
}

/** Asks the staff member to sign in again. Concurrent calls share one dialog. @returns whether they signed in */
export function requireRecentSignIn(): Promise<boolean> {
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
