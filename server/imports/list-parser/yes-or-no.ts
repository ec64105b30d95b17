import { isNothing } from "./clean-text";
import { isNegated } from "./meanings";
import { foldAccents } from "./plain-words";

const wordSet = (list: string) => new Set(foldAccents(list).split(/\s+/));

// Words of people, and the true and false of spreadsheets, in the languages of column titles and some others.
const yes = wordSet(
  `true yes y 1 ja j jah oui o si sim s tak t ano áno igen kyllä joo da да так x on wahr vrai verdadero verdadeiro vero waar
  sant sand sann tosi prawda pravda igaz adevărat doğru истина істина evet ναι taip ya はい 是 是的 예 네 כן نعم हाँ हां ใช่
  ✓ ✔ ☑ ✅ ok`,
);
const no = wordSet(
  `false f no n 0 nein non não nie ne nem ei nee nej nei нет ні не off falsch faux falso onwaar osant falskt falsk usann epätosi
  fałsz nepravda hamis fals yanlış ложь хибність hayır hayir nu όχι δεν tidak không いいえ 否 不 不是 아니오 아니요 לא لا كلا नहीं
  ไม่ ไม่ใช่ ✗ ✘ ☐ ❌ never none`,
);
const longestWord = 12;

/** The meaning of a yes/no cell, or null. */
export function yesOrNo(text: string): boolean | null {
  if (text.length > longestWord) return null;
  const word = foldAccents(text.trim());
  return yes.has(word) ? true : no.has(word) ? false : null;
}

const courtesy = /^(\S{1,9})\s(?:please|thanks|thank you|bitte|danke|gerne?|merci|gracias|grazie)[.!]?$/i;

/** Also reads "No, thanks" as a no. */
export function parseYesOrNo(cell: string): boolean | null {
  const [, word = ""] = /^(\S{1,9})[,.!;]\s/.exec(cell) ?? courtesy.exec(cell) ?? [];
  return yesOrNo(cell) ?? yesOrNo(word);
}

/** The name of an empty cell in a question. */
export const emptyCell = "(empty)";

export const isEmptyCell = (cell: string) =>
  cell === "" || isNothing(cell) || /^(?:\[\]|\{\}|0000-00-00.*|null|none)$/i.test(cell);

// "Not agreed", "not wanted", "not done", and the cross, which means no in Japan and yes elsewhere.
const easternNo = /^[未不×✕✖]|ない$|ません$|안\s?함$|않음$|아님$/;
// Longer texts are notes.
const longestNegation = 40;
const firstWord = /^\p{L}{2,}(?=\s)/u;

/** Also true for "Ja tak". */
export const mayBeYes = (cell: string) =>
  (parseYesOrNo(cell) ?? yesOrNo(firstWord.exec(cell)?.[0] ?? "")) === true;
/** "Nej tak" and "ikke tilmeldt" may be a no. */
export const mayBeNo = (cell: string) =>
  (parseYesOrNo(cell) ?? yesOrNo(firstWord.exec(cell)?.[0] ?? "")) === false ||
  (cell.length <= longestNegation && isNegated(cell)) ||
  easternNo.test(cell);
