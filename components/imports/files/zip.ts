import { unzipSync } from "fflate";

// Parts are unpacked in memory: beyond this it is a mistake, or meant to harm.
const largestPart = 1024 ** 3;

/** The parts of a ZIP archive; each is unpacked when it is read, and none of them kept. */
export class Zip {
  readonly names: readonly string[];
  readonly #bytes: Uint8Array;

  /** Throws when it is no archive, or a damaged one. */
  constructor(bytes: Uint8Array) {
    const names: string[] = [];
    unzipSync(bytes, {
      filter: ({ name }) => {
        names.push(name);
        return false;
      },
    });
    this.names = names;
    this.#bytes = bytes;
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** @returns null when there is no such part, or one too large to be read */
  read(name: string): Uint8Array | null {
    const parts = unzipSync(this.#bytes, {
      filter: (part) => part.name === name && part.originalSize <= largestPart,
    });
    return parts[name] ?? null;
  }
}
