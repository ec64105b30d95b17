/** A value with its place in the text. A string's place is what stands between its quotes. */
export type JsonNode =
  | { kind: "string"; from: number; to: number; value: string }
  | { kind: "array"; from: number; to: number; items: JsonNode[] }
  | { kind: "object"; from: number; to: number; keys: string[]; values: JsonNode[]; complete: boolean }
  | { kind: "other"; from: number; to: number; value: string };

const deepest = 64;
const space = /[\s\ufeff]*/y;
const bareWord = /[\p{L}\p{N}_$+.-]{1,400}/uy;
const plainString = /[^"\\\n\r]*/y;

/**
 * Reads JSON for its places: JSON.parse tells none. Also takes what people paste as JSON: trailing commas, single quotes,
 * bare keys. Where it can't go on it keeps what it has read, and `brokenAt` says where. Never throws.
 */
export class JsonText {
  brokenAt: number | null = null;

  constructor(
    readonly text: string,
    public at: number,
  ) {}

  /** Whether another value begins here: JSON values may follow each other, as in JSON Lines. */
  more(): boolean {
    this.#skip();
    while (this.text.charAt(this.at) === "," || this.text.charAt(this.at) === ";") {
      this.at++;
      this.#skip();
    }
    return this.brokenAt === null && this.at < this.text.length;
  }

  value(depth = 0): JsonNode | null {
    this.#skip();
    const character = this.text.charAt(this.at);
    if (depth > deepest) return this.#break();
    if (character === "{") return this.#object(depth);
    if (character === "[") return this.#array(depth);
    if (character === '"' || character === "'") return this.#string(character);
    const word = this.#word();
    return word ?? this.#break();
  }

  #array(depth: number): JsonNode {
    const from = this.at++;
    const items: JsonNode[] = [];
    while (!this.#closes("]")) {
      const item = this.value(depth + 1);
      if (item) items.push(item);
      if (this.brokenAt !== null || !this.#goesOn("]")) break;
    }
    return { kind: "array", from, to: this.at, items };
  }

  #object(depth: number): JsonNode {
    const node = {
      kind: "object" as const,
      from: this.at++,
      to: this.at,
      keys: [] as string[],
      values: [] as JsonNode[],
      complete: false,
    };
    while (!this.#closes("}")) {
      const quote = this.text.charAt(this.at);
      const key = quote === '"' || quote === "'" ? this.#string(quote) : (this.#word() ?? this.#break());
      this.#skip();
      if (this.brokenAt === null && this.text.charAt(this.at) !== ":") this.#break();
      if (this.brokenAt !== null || key?.kind === "array" || key?.kind === "object") return node;
      this.at++;
      const value = this.value(depth + 1);
      if (key && value) {
        node.keys.push(key.value);
        node.values.push(value);
      }
      if (this.brokenAt !== null || !this.#goesOn("}")) return node;
    }
    node.complete = true;
    node.to = this.at;
    return node;
  }

  /** Eats the closing bracket. */
  #closes(bracket: string): boolean {
    this.#skip();
    if (this.text.charAt(this.at) !== bracket) return false;
    this.at++;
    return true;
  }

  // After an item: a comma, or the bracket that the loop will eat.
  #goesOn(bracket: string): boolean {
    this.#skip();
    const character = this.text.charAt(this.at);
    if (character === ",") this.at++;
    else if (character !== bracket) this.#break();
    return this.brokenAt === null;
  }

  #string(quote: string): JsonNode | null {
    const { text } = this;
    const from = this.at + 1;
    let at = from;
    let escaped = false;
    for (;;) {
      if (quote === '"') {
        plainString.lastIndex = at;
        plainString.test(text);
        at = plainString.lastIndex;
      }
      const character = text.charAt(at);
      if (character === quote) break;
      if (character === "" || character === "\n" || character === "\r") return this.#break();
      if (character === "\\") {
        escaped = true;
        at++;
      }
      at++;
    }
    this.at = at + 1;
    const written = text.slice(from, at);
    return { kind: "string", from, to: at, value: escaped ? unescapeJson(written) : written };
  }

  #word(): JsonNode | null {
    bareWord.lastIndex = this.at;
    const from = this.at;
    const value = bareWord.exec(this.text)?.[0];
    if (value === undefined) return null;
    this.at += value.length;
    return { kind: "other", from, to: this.at, value };
  }

  #skip(): void {
    space.lastIndex = this.at;
    space.test(this.text);
    this.at = space.lastIndex;
  }

  #break(): null {
    this.brokenAt ??= this.at;
    return null;
  }
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function unescapeJson(written: string): string {
  return written.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex: string | undefined, plain: string) =>
    hex === undefined ? (escapes[plain] ?? plain) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
