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
  ne n plus pas non nao niet geen nie nepsat neposilat nechce uz ikke inte ei plainte resilie radie on`;
const eastern =
  /解除|停止|退会|退會|拒否|退订|退訂|取消订阅|取消訂閱|拒收|解約|不達|已取消|黑名单|黑名單|退信|迷惑メール|수신거부|구독취소|해지|탈퇴|거부|반송|отпис|відпис|удален|видален|заблок|не писать|не слать/;
const alternatives = (list: string) => list.trim().split(/\s+/).join("|");
const anyStem = new RegExp(`(?<![a-z])(?:${alternatives(stems)})`);
const anyPhrase = new RegExp(phrases.join("|"));
const anyShortStem = new RegExp(`(?<![a-z])(?:${alternatives(shortStems)})(?![a-z])`);
const longestShort = 60;

// The first letters of all words above. One test of them decides for most names and notes.
const beginnings = new Set(
  foldAccents(`${stems} ${shortStems} ${phraseStarts} ${leavingWords}`)
    .trim()
    .split(/\s+/)
    .filter((word) => /^[a-z]/.test(word))
    .map((word) => word.slice(0, 3)),
);
const mayBegin = new RegExp(`(?<![a-z])(?:${[...beginnings].join("|")})|~|[^ -\u024f\u2000-\u206f]`);

/**
 * Whether any part of a text mentions opting out.
 * @param isName ignores words that may be names, such as Gone
 */
export function mentionsOptOut(text: string, isName = false): boolean {
  if (text.length < 2) return false;
  const isAscii = printableAscii.test(text);
  const plain = isAscii ? text.toLowerCase() : foldAccents(text);
  if (!mayBegin.test(plain)) return false;
  if (anyStem.test(plain) || anyPhrase.test(plain)) return true;
  if (!isAscii && eastern.test(plain)) return true;
  if (plain.length > longestShort) return false;
  if (!isName && anyShortStem.test(plain)) return true;
  return runsOfWords(plain).some((run) => isOptOutWord(run, isName));
}
const printableAscii = /^[ -~]*$/;

const mayBeNames = new Set(
  "left gone out dead quit stopped junk abuse invalid baja bajas klage bounce spam banned held".split(" "),
);
const isOptOutWord = (run: string, isName: boolean) =>
  !/\d/.test(run) && isLeavingReason(meaningOfWord(run)) && !(isName && mayBeNames.has(run));

/** Each word, and each sequence of two and three words. */
export function runsOfWords(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const runs: string[] = [];
  for (const [at, word] of words.entries()) {
    runs.push(word);
    if (at + 1 < words.length) runs.push(`${word} ${words[at + 1]}`);
    if (at + 2 < words.length) runs.push(`${word} ${words[at + 1]} ${words[at + 2]}`);
  }
  return runs;
}
