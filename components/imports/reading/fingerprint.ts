/** Distinguishes two plans without storing either: 32-bit FNV-1a over their contents. Not for secrets. */
export class Fingerprint {
  #hash = 0x811c9dc5;

  add(line: number, ...words: (string | null | undefined)[]): void {
    let hash = Math.imul(this.#hash ^ line, 0x01000193);
    for (const word of words) {
      if (word)
        for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
      hash = Math.imul(hash ^ 0x1f, 0x01000193);
    }
    this.#hash = hash;
  }

  get value(): number {
    return this.#hash >>> 0;
  }
}
