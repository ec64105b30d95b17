// The pool avoids a CSPRNG call for each id. That call was most of an id's cost.
const pool = new Uint8Array(4096);
let used = pool.length;
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

let lastMs = 0;
let counter = 0;

/** The bounds below and above all generated ids. */
export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";
export const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

function randomByte(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  return pool[used++] as number;
}

function write(ms: number, sequence: number): string {
  const time = ms.toString(16).padStart(12, "0");
  const random = (mask = 0xff, mark = 0) => hex[(randomByte() & mask) | mark] as string;
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, "0")}-` +
    `${random(0x3f, 0x80)}${random()}-${random()}${random()}${random()}${random()}${random()}${random()}`
  );
}

/**
 * Makes a UUID v7 (RFC 9562): 48 bits of Unix milliseconds, a 12-bit counter, 62 random bits. The ids of one process
 * always rise. When the counter overflows or the clock is set back, the time runs slightly ahead (section 6.2).
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // Starts low to leave room for counting.
    counter = ((randomByte() & 0x03) << 8) | randomByte();
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  return write(lastMs, counter);
}

/** Makes an id for an event at this time. Ids of the same millisecond have no particular order. */
export function idAt(time: Date): string {
  return write(time.getTime(), ((randomByte() & 0x0f) << 8) | randomByte());
}

/** Returns the lowest UUID v7 of a moment, a lower bound for ids from then on. */
export function lowestIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Returns when an id was made, in Unix milliseconds, by the clock of the machine that made it. */
export function msOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns the next id. As an exclusive upper bound it includes this id and excludes later ones. */
export function idAfter(id: string): string {
  const next = (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an id. The database throws on anything else. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
