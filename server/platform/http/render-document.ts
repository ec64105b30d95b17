import type { ReactElement } from "react";

// Next rejects a static import of react-dom/server in code that its routes import.
const { renderToStaticMarkup } = await import("react-dom/server");

/** Renders React components as a whole document without client JavaScript. */
export function renderDocument(document: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}
