import type { ReactElement } from "react";

// Not a static import: Next rejects that one in what its routes import.
const { renderToStaticMarkup } = await import("react-dom/server");

/** A whole document from React components, without client JavaScript. */
export function renderDocument(document: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}
