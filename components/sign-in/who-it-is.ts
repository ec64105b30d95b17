/** Shows the dialog that asks, and hears whether whoever is there has signed in again. */
type Dialog = (answered: (signedIn: boolean) => void) => void;

let dialog: Dialog | null = null;
let asking: Promise<boolean> | null = null;

/** Names the dialog of this page; null when it is gone. */
export function setWhoItIsDialog(shown: Dialog | null): void {
  dialog = shown;
}

/** Asks whoever is there to sign in again; several calls at once are one question. @returns whether they did */
export function askWhoItIs(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => (dialog ? dialog(resolve) : resolve(false))).finally(() => {
    asking = null;
  });
  return asking;
}
