/** A word in braces: `{newsletter}`. Braces without a word are plain text. */
const PLACEHOLDER = /\{([\p{L}\p{N}_.-]+)\}/gu;

/** Returns the unknown placeholders of a text with their braces, each once. */
export function unknownPlaceholders(text: string, known: readonly string[]): string[] {
  const found = [...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string);
  return [...new Set(found.filter((name) => !known.includes(name)))].map((name) => `{${name}}`);
}

/** Fills in the placeholders of a text. Placeholders inside a value are not replaced. */
export function fillIn(text: string, values: Record<string, string>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : whole,
  );
}
