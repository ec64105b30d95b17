// The pool spares a call of the CSPRNG for each id; most of an id's cost was that call.
const pool = new Uint8Array(4096);
let used = pool.length;
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

let lastMs = 0;
let counter = 0;

/** Bounds below and above every id that is made. */
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
 * A UUID v7 (RFC 9562): 48 bits of Unix milliseconds, a 12-bit counter, 62 bits from the CSPRNG. The ids of one process
 * always rise: when the counter is used up, or the clock is set back, the time runs ahead a little (section 6.2).
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // Begins low, so that there is room to count.
    counter = ((randomByte() & 0x03) << 8) | randomByte();
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  return write(lastMs, counter);
}

/** An id for something that happened at this time, in no particular order among others of the same millisecond. */
export function idAt(time: Date): string {
  return write(time.getTime(), ((randomByte() & 0x0f) << 8) | randomByte());
}

/** The lowest UUID v7 of a moment: a bound for ids made from then on. */
export function lowestIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** When an id was made, in Unix milliseconds, by the clock of the machine that made it. */
export function msOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The id right after this one: as an exclusive upper bound, it includes this one and nobody who joins later. */
export function idAfter(id: string): string {
  const next = (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether this can be an id at all: the database throws at anything else. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
