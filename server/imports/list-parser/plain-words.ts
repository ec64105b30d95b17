/** In lower case, without accents: Désabonnée is desabonnee, and WYPISAŁ is wypisal. */
export function withoutAccents(text: string): string {
  return (
    text
      .toLowerCase()
      .normalize("NFKD")
      // Not the marks of Japanese, which make other letters.
      .replace(/[\u0300-\u036f]+/g, "")
      .replace(/ł/g, "l")
      .replace(/ø/g, "o")
      .replace(/æ/g, "ae")
      .normalize("NFC")
  );
}
