/** Lower case without accents: Désabonnée is desabonnee, and WYPISAŁ is wypisal. */
export function foldAccents(text: string): string {
  return (
    text
      .toLowerCase()
      .normalize("NFKD")
      // Keeps the marks of Japanese, which make different letters.
      .replace(/[\u0300-\u036f]+/g, "")
      .replace(/ł/g, "l")
      .replace(/ø/g, "o")
      .replace(/æ/g, "ae")
      .normalize("NFC")
  );
}
