/** What stands in braces: `{newsletter}`. Braces without a word in them are text. */
const PLACEHOLDER = /\{([\p{L}\p{N}_.-]+)\}/gu;

/** The placeholders of a text that are none of these, each once, with their braces. */
export function unknownPlaceholders(text: string, known: readonly string[]): string[] {
  const found = [...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string);
  return [...new Set(found.filter((name) => !known.includes(name)))].map((name) => `{${name}}`);
}

/** The text with its placeholders filled in, once: what a value holds is not looked through again. */
export function fillIn(text: string, values: Record<string, string>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : whole,
  );
}
