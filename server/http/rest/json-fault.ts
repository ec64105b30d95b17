/** Where a text stops being JSON (RFC 8259), for a message that helps: line and column count from 1. */
export type JsonFault = { line: number; column: number; expected: string };

const SPACE = /[ \t\n\r]/;
const LITERAL = /true|false|null/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Finds the first fault in a text that `JSON.parse` rejected. Runs only then, in linear time, and with a stack of its own:
 * 50,000 opening brackets must not overflow the engine's.
 */
export function findJsonFault(text: string): JsonFault {
  const open: ("{" | "[")[] = [];
  let at = 0;
  let expected = "a value";
  const skip = () => {
    while (at < text.length && SPACE.test(text[at] as string)) at++;
  };
  const matches = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  /** Moves past a string; false leaves `at` on what is wrong in it. */
  const string = (what: string) => {
    expected = what;
    if (text[at] !== '"') return false;
    at++;
    for (; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 0x22) {
        at++;
        return true;
      }
      if (c < 0x20) {
        expected = "no raw line break or control character in a string";
        return false;
      }
      if (c === 0x5c) {
        const sequence = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
        sequence.lastIndex = at + 1;
        const found = sequence.exec(text);
        if (!found) {
          expected = 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';
          return false;
        }
        at += found[0].length;
      }
    }
    expected = "a closing quote";
    return false;
  };
  /** A member's name and colon. */
  const name = () => {
    skip();
    if (!string("a property name in double quotes")) return false;
    skip();
    expected = "a colon";
    if (text[at] !== ":") return false;
    at++;
    return true;
  };

  scan: for (;;) {
    skip();
    expected = "a value";
    const c = text[at];
    if (c === "{" || c === "[") {
      at++;
      open.push(c);
      skip();
      if (text[at] === (c === "{" ? "}" : "]")) {
        at++;
        open.pop();
      } else {
        if (c === "{" && !name()) break;
        continue;
      }
    } else if (c === '"') {
      if (!string("a value")) break;
    } else if (!matches(LITERAL) && !matches(NUMBER)) {
      break;
    }
    // A value ended: what holds it goes on or ends too.
    for (;;) {
      skip();
      const inside = open.at(-1);
      if (inside === undefined) {
        expected = "the end of the text";
        break scan;
      }
      const close = inside === "{" ? "}" : "]";
      expected = `a comma or ${close}`;
      if (text[at] === close) {
        at++;
        open.pop();
      } else if (text[at] === ",") {
        at++;
        if (inside === "{" && !name()) break scan;
        break;
      } else {
        break scan;
      }
    }
  }
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: at - lineStart + 1, expected };
}
