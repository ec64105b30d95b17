/** Markup that is safe to send. Only `html` and `trusted` make it; anything else is text, and is escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

/** An attribute without a value, such as `autofocus`. */
export class Flag {
  constructor(
    readonly name: "autofocus" | "required",
    readonly on: boolean,
  ) {}
}

/** What a hole of the template takes; nothing is printed for null, undefined and false. */
export type Piece = Html | Flag | string | number | null | undefined | false | readonly Piece[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function print(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return "";
  if (piece instanceof Html) return piece.markup;
  if (piece instanceof Flag) return piece.on ? piece.name : "";
  if (typeof piece === "object") return piece.map(print).join("");
  return String(piece).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/**
 * A template whose holes are escaped by construction, for text and for quoted attribute values; a Flag may stand in a tag.
 * @throws Error where escaping would not help: anything else in a tag without quotes, or a template with a script, a
 *   style or a comment
 */
export function html(parts: TemplateStringsArray, ...holes: Piece[]): Html {
  const inTag = holesInTags(parts);
  for (const [i, hole] of holes.entries()) {
    if (inTag[i] !== hole instanceof Flag)
      throw new Error(`A hole that cannot be made safe, after: ${parts[i]?.slice(-40)}`);
  }
  return new Html(parts.reduce((done, part, i) => done + print(holes[i - 1]) + part));
}

/** Text of our own that must reach the page as it is: the style sheet. Never for what somebody else wrote. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

const known = new WeakMap<TemplateStringsArray, boolean[]>();

/** Which of a template's holes are inside a tag but not between quotes; read once for each template. */
function holesInTags(parts: TemplateStringsArray): boolean[] {
  const before = known.get(parts);
  if (before) return before;
  const inTag: boolean[] = [];
  let place: "text" | "tag" | '"' | "'" = "text";
  for (const part of parts) {
    if (/<(script|style|!--)/i.test(part))
      throw new Error("A script, style or comment does not belong in a template.");
    for (const character of part) {
      if (place === "text") place = character === "<" ? "tag" : "text";
      else if (place !== "tag") place = character === place ? "tag" : place;
      else if (character === ">") place = "text";
      else if (character === '"' || character === "'") place = character;
    }
    inTag.push(place === "tag");
  }
  known.set(parts, inTag);
  return inTag;
}
