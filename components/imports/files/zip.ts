import { unzipSync } from "fflate";

// Parts are unpacked in memory: beyond this it is a mistake, or meant to harm.
const largestPart = 1024 ** 3;

/** The parts of a ZIP archive; each is unpacked when it is read, and none of them kept. */
export class Zip {
  readonly names: readonly string[];
  readonly #bytes: Uint8Array;
  readonly #onShare: ((share: number) => void) | undefined;
  #size = 0;
  #passed = 0;

  /** Throws when it is no archive, or a damaged one. @param onShare hears how much has `passed`, from 0 to 1 */
  constructor(bytes: Uint8Array, onShare?: (share: number) => void) {
    const names: string[] = [];
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name);
        if (name.endsWith(".xml")) this.#size += originalSize;
        return false;
      },
    });
    this.names = names;
    this.#bytes = bytes;
    this.#onShare = onShare;
  }

  /** So many bytes of its XML have been looked at. */
  passed(bytes: number): void {
    this.#passed += bytes;
    this.#onShare?.(Math.min(1, this.#passed / this.#size));
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
