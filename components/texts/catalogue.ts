import type * as english from "./en";

/** The texts of the dashboard in one language, by screen. */
export type Catalogue = typeof english;
