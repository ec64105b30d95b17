import type { ReactNode } from "react";

/** Renders `<b>` of a message. */
export const bold = (chunks: ReactNode) => <b>{chunks}</b>;
