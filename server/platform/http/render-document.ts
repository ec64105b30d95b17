import type { ReactElement } from "react";
import { digestOf } from "../../kernel/secrets";

// Next rejects a static import of react-dom/server in code that its routes import.
const { renderToStaticMarkup } = await import("react-dom/server");

/** Renders React components as a whole document without client JavaScript. */
export function renderDocument(document: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}

/** Returns the source of an inline style or script, for the Content-Security-Policy. */
export const inlineSource = (text: string) => `'sha256-${digestOf(text).toString("base64")}'`;
