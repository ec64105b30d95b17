const NOT_USED = "No passkey was used, and nothing was changed. Try again.";

/** Sentences for the errors of a browser's passkey calls, by the error's name. */
export const passkeyErrors: Record<string, string> = {
  InvalidStateError: "This device already has a passkey for your account.",
  NotAllowedError: NOT_USED,
  AbortError: NOT_USED,
  SecurityError: "Passkeys work only at this installation's own address, over https or on localhost.",
};

/** A call of the browser got no answer. */
export const unreachable = "Rollcall can't be reached. Check your connection and try again.";
