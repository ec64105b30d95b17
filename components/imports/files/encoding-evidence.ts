import {
  cyrillicWords,
  greekWords,
  japaneseCharacters,
  koreanCharacters,
  latinWords,
  simplifiedCharacters,
  traditionalCharacters,
} from "./familiar-names";

// Points. One sign of a wrong decoding outweighs several signs of a right one.
const WRONG = -6;
const ODD = -3;
const UNFAMILIAR = -0.6;
const FITS = 0.5;
const FAMILIAR = 1.5;
// Names have many rare characters, but also common ones.
const RARE_CHARACTER = -0.7;

const notAscii = /[\u0080-\uffff]/;
const letter = /[\p{L}\p{M}]/u;
const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;
const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /[\u0590-\u0e7f]/u, wide];
// `beside`: typographic characters next to words. `within`: those inside words, as in O’Brien, Gal·la and Mª.
const beside = /[‘“”„«»–—…•№\u00a0\u3000-\u303f\uff00-\uff5e]/;
const within = /[’·ªº]/;
const between = /[\0-@[-`{-~]+/;

/** Frequency of each letter and letter sequence in the familiar words. */
const familiar = new Map<string, number>();
for (const words of [...latinWords, cyrillicWords, greekWords]) {
  for (const word of words.split(" "))
    for (const sequence of sequencesOf(word)) familiar.set(sequence, (familiar.get(sequence) ?? 0) + 1);
}
const alphabets = latinWords.map((words) => new Set(words));
const characters: Record<string, Set<string>> = {
  shift_jis: new Set(japaneseCharacters),
  "euc-jp": new Set(japaneseCharacters),
  gb18030: new Set(simplifiedCharacters),
  big5: new Set(traditionalCharacters),
  "euc-kr": new Set(koreanCharacters),
};

/** Yields sequences of one to three letters with at least one outside ASCII. A word's ends count as letters. */
function* sequencesOf(word: string): Generator<string> {
  const framed = `^${word}$`;
  for (let at = 0; at < framed.length; at++) {
    for (let length = 1; length <= 3 && at + length <= framed.length; length++) {
      const sequence = framed.slice(at, at + length);
      if (notAscii.test(sequence)) yield sequence;
    }
  }
}

/** Scores in points how much the decoded text looks like names. Unknown text scores 0, a wrong decoding less. */
export function evidenceFor(text: string, encoding: string): number {
  let points = 0;
  for (const word of text.split(between)) {
    if (!notAscii.test(word)) continue;
    points += ofCharacters(word) + (wide.test(word) ? ofWide(word, characters[encoding]) : ofLetters(word));
  }
  return points;
}

/** Scores characters that don't belong in a word, or not at that position. */
function ofCharacters(word: string): number {
  let points = scripts.filter((script) => script.test(word)).length > 1 ? WRONG : 0;
  for (let at = 0; at < word.length; at++) {
    const character = word.charAt(at);
    if (!notAscii.test(character) || wide.test(character)) continue;
    const [before, after] = [word.charAt(at - 1), word.charAt(at + 1)];
    if (letter.test(character)) {
      if (isUpper(character) && (isLower(before) || (isUpper(before) && isLower(after)))) points += ODD;
    } else if (within.test(character)) continue;
    else if (!beside.test(character)) points += letter.test(before + after) ? WRONG : ODD;
    else if (letter.test(before) && letter.test(after)) points += ODD;
  }
  return points;
}

const isUpper = (character: string) => character !== character.toLowerCase();
const isLower = (character: string) => character !== character.toUpperCase();

function ofLetters(word: string): number {
  const lower = word.toLowerCase();
  const beyond = [...lower].filter((character) => notAscii.test(character) && letter.test(character));
  if (beyond.length === 0) return 0;
  let points = FITS;
  if (/\p{Script=Latin}/u.test(lower)) {
    if (!alphabets.some((letters) => beyond.every((character) => letters.has(character)))) points = ODD;
    if (/[\u0080-\uffff]{3}/.test(lower)) points += ODD;
  }
  for (const sequence of sequencesOf(lower)) {
    const times = familiar.get(sequence) ?? 0;
    points += times === 0 ? UNFAMILIAR : sequence.length === 1 ? FAMILIAR * Math.log10(times) : FAMILIAR;
  }
  return points;
}

function ofWide(word: string, known: Set<string> | undefined): number {
  let points = 0;
  for (const character of word) {
    if (!wide.test(character)) continue;
    if (known?.has(character)) points += FAMILIAR;
    else points += /[\u3041-\u30ff]/.test(character) && known?.has("名") ? FITS : RARE_CHARACTER;
  }
  return points;
}
