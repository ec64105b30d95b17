import type { ReactNode } from "react";

/** What `<b>` in a message becomes. */
export const bold = (chunks: ReactNode) => <b>{chunks}</b>;
