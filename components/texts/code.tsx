import type { ReactNode } from "react";

/** Renders `<code>` of a message. */
export const code = (chunks: ReactNode) => <code>{chunks}</code>;
