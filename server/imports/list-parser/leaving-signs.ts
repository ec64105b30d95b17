import { foldAccents } from "./plain-words";
import { isLeavingReason, leavingWords, meaningOfWord } from "./status-words";

// Prefixes of words about opting out, in texts of any length; lower case, without accents.
const stems = `unsub bounc complain complaint blacklist blocklist suppress optout optedout donotemail donotmail
  donotcontact undeliver deactivat deaktivier spam abgemeld abmeld abbestell austrag ausgetrag ausgetret austritt gekundig kundig
  unzustellbar gesperrt loschen geloscht widerruf widerspr desabonn desinscri supprim rebond 
  rebot desuscri leiratkoz dezabon suspend anulad cancelad eliminad disiscri cancellat disattiv rimbalz uitgeschrev uitschrijv afgemeld afmeld
  opgezegd onbestelbaar descadastr desinscr wypis rezygn usuniet odhlas zrus smazat smazan vyrad framel avregistr
  avprenumer avanmal avmeld avbestill oppsagt opsagt slettet borttag studsa peruut perunut perutt poistet poistun
  palautun irtisan cancelled canceled unreachable deceased`;
// These are ordinary words too, so they count only in short texts.
const shortStems = `left leave leaving gone quit removed remove delete deleted disabled inactive invalid dead stop stopped banned blocked
  resigned archived denied declined rejected suspended revoked withdrawn expired refused held onhold inaktiv inactif inactiv neaktiv nieaktyw verstorben weg raus former ex-member baja bajas`;
const phrases = [
  "opt(?:ed|ing)?[ _-]{0,3}out",
  "(?:do(?:es)?|did|will|would|should|must|may|can)[ ]?n['’o]?t (?:be )?(?:want|e-?mail|mail|contact|write|send|wish|like)",
  "(?:not|never) (?:to be )?(?:e-?mail|mail|contact|write|send|subscribed|interested|confirmed)",
  String.raw`no (?:more|longer|further)\b`,
  String.raw`no[ _-]?(?:e-?)?(?:mails?|newsletter|consent)\b`,
  String.raw`(?:take|taken|strike|struck) (?:\w+ )?off`,
  "kein(?:e|en)? (?:e-?)?(?:mails?|newsletter|post|werbung|einwilligung)",
  "nicht (?:mehr|anschreiben|schreiben|kontaktieren|senden|zustellbar|bestatigt)",
  "(?:ne |n')?(?:plus|pas) (?:ecrire|contacter|envoyer|de mails?|d'e-?mails?|souhaite|interesse|recevoir)",
  "(?:no|non|nao) (?:mas|piu|mais|enviar|escribir|contactar|scrivere|inviare|contattare|escrever|contatar|quiere|vuole|quer)",
  "(?:niet|geen) (?:meer|mailen|mails?|schrijven|benaderen|nieuwsbrief)",
  "nie (?:pisac|wysylac|chce|kontaktowac)",
  "(?:nepsat|neposilat|nechce|uz ne)",
  "(?:ikke|inte|ei) (?:lenger|langere|laengere|enaa|halua|skriv|skicka|send|mejla|kontakt|oensker|onsker)",
  "(?:plaintes?|resilie[rsz]?|resiliation|radiee?s?)(?![a-z])",
  "~~",
];
const phraseStarts = `opt do does did will would should must may can not never no take taken strike struck kein keine keinen nicht
  ne n plus pas non nao niet geen nie nepsat neposilat nechce uz ikke inte ei plainte resilie radie`;
const eastern =
  /解除|停止|退会|退會|拒否|退订|退訂|取消订阅|取消訂閱|拒收|解約|不達|已取消|黑名单|黑名單|退信|迷惑メール|수신거부|구독취소|해지|탈퇴|거부|반송|отпис|відпис|удален|видален|заблок|не писать|не слать/;
const alternatives = (list: string) => list.trim().split(/\s+/).join("|");
const anyStem = new RegExp(`(?<![a-z])(?:${alternatives(stems)})`);
const anyPhrase = new RegExp(phrases.join("|"));
const anyShortStem = new RegExp(`(?<![a-z])(?:${alternatives(shortStems)})(?![a-z])`);
const longestShort = 60;

/**
 * Whether any part of a text mentions opting out.
 * @param isName ignores words that may be names, such as Gone
 */
export function mentionsOptOut(text: string, isName = false): boolean {
  if (text.length < 2 || !mayMentionLeaving(text)) return false;
  const isAscii = printableAscii.test(text);
  const plain = isAscii ? text.toLowerCase() : foldAccents(text);
  const begun = beginningsIn(plain);
  if ((begun & aStem && anyStem.test(plain)) || anyPhrase.test(plain)) return true;
  if (!isAscii && eastern.test(plain)) return true;
  if (plain.length > longestShort) return false;
  if (!isName && begun & aShortStem && anyShortStem.test(plain)) return true;
  return (begun & aWord) !== 0 && runsOfWords(plain).some((run) => isOptOutWord(run, isName));
}
const printableAscii = /^[ -~]*$/;

const mayBeNames = new Set(
  "left gone out dead quit stopped junk abuse invalid baja bajas klage bounce spam banned held".split(" "),
);
const isOptOutWord = (run: string, isName: boolean) =>
  !/^\d/.test(run) && isLeavingReason(meaningOfWord(run)) && !(isName && mayBeNames.has(run));

/** Each word, and each sequence of two and three words. */
export function runsOfWords(text: string): string[] {
  const found = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return found.flatMap((word, at) => {
    if (letterAt(word, 0) !== 0 && starts[startOf(word, 0)] !== 1) return [];
    const two = found[at + 1] === undefined ? [] : [`${word} ${found[at + 1]}`];
    return [word, ...two, ...(found[at + 2] === undefined ? [] : [`${two} ${found[at + 2]}`])];
  });
}

/** Maps a Latin character code to its letter without accents: 1 to 26, or 0. */
const letterOf = Uint8Array.from({ length: 0x250 }, (_, code) => {
  const letter = foldAccents(String.fromCharCode(code)).charCodeAt(0) - 0x60;
  return letter >= 1 && letter <= 26 ? letter : 0;
});
const letters = 27;
// The first three letters of every word above, and the first two for words with spaces. They decide for most names and
// notes in a tenth of the time.
const starts = new Uint8Array(letters ** 3);
for (const word of wordsOf(`${stems} ${shortStems} ${phraseStarts} ${leavingWords}`))
  starts[startOf(word, 0)] = starts[startOf(word.slice(0, 2), 0)] = 1;
// The first four letters by kind of word. They decide for most texts that pass the check above.
const [aStem, aShortStem, aWord] = [1, 2, 4];
const beginnings = new Map<number, number>();
for (const [kind, list] of [
  [aStem, stems],
  [aShortStem, shortStems],
  [aWord, leavingWords],
] as const) {
  for (const word of wordsOf(list)) {
    let start = 0;
    for (let at = 0; at < 4 && letterAt(word, at) !== 0; at++) start = start * letters + letterAt(word, at);
    beginnings.set(start, (beginnings.get(start) ?? 0) | kind);
  }
}

function wordsOf(list: string): string[] {
  return foldAccents(list).trim().split(/\s+/);
}

function letterAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < letterOf.length ? (letterOf[unit] as number) : 0;
}

function startOf(text: string, at: number): number {
  const second = letterAt(text, at + 1);
  const third = second === 0 ? 0 : letterAt(text, at + 2);
  return (letterAt(text, at) * letters + second) * letters + third;
}

function mayMentionLeaving(text: string): boolean {
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const isLetter = letterAt(text, at) !== 0;
    if (isLetter) {
      if (!inWord && starts[startOf(text, at)] === 1) return true;
    } else if (needsFullCheck(text.charCodeAt(at))) return true;
    inWord = isLetter;
  }
  return false;
}

// Characters of other scripts need the full check; punctuation such as ’ does not.
const needsFullCheck = (unit: number) =>
  (unit >= letterOf.length && (unit < 0x2000 || unit > 0x206f)) || unit === 0x7e;

/** The kinds of words that may begin anywhere in a lower-case text without accents, as bits. */
function beginningsIn(plain: string): number {
  let begun = 0;
  for (let at = 0; at < plain.length; at++) {
    if (plain.charCodeAt(at) > 0x7e) return aStem | aShortStem | aWord;
    if (letterAt(plain, at) !== 0 && letterAt(plain, at - 1) === 0) begun |= beginningsAt(plain, at);
  }
  return begun;
}

// A stem is one word. A known word may have separators: "opt out", "n p a i".
function beginningsAt(plain: string, from: number): number {
  let begun = 0;
  let start = 0;
  let count = 0;
  let isOneWord = true;
  for (let at = from; at < plain.length && count < 4; at++) {
    const letter = letterAt(plain, at);
    if (letter !== 0) {
      start = start * letters + letter;
      count++;
      continue;
    }
    const unit = plain.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) break;
    // Only at the end of a word, because the following words continue it.
    if (letterAt(plain, at - 1) !== 0) begun |= (beginnings.get(start) ?? 0) & (isOneWord ? -1 : aWord);
    isOneWord = false;
  }
  return begun | ((beginnings.get(start) ?? 0) & (isOneWord ? -1 : aWord));
}
