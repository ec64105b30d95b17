import { mentionsOptOut, runsOfWords } from "./leaving-signs";
import type { LeavingReason, Meaning } from "./list-types";
import { foldAccents } from "./plain-words";
import { isLeavingReason, meaningOfWord } from "./status-words";

/** The strictest meaning of the words in a status, as in "Twardo odbity", a bounce. */
export function meaningInside(text: string): Meaning | null {
  if (text.length > 80 || isNegated(text)) return mentionsOptOut(text) ? reasonIn(text) : null;
  const found = runsOfWords(text).map(meaningOfWord);
  return found.find(isLeavingReason) ?? (found.includes("pending") ? "pending" : null);
}

export const isNegated = (text: string) =>
  /(?<!\p{L})(?:not|non|no|never|nicht|kein\w*|pas|niet|nie|ne|ikke|inte|ei|не)(?!\p{L})/iu.test(text);

// Words that are always about the subscription. Others may be about a payment or a membership.
const sure = new RegExp(
  `^(?:${[
    "un-?sub(?:scribed?|s|scribes|scriber)?|opt(?:ed)?[ _-]?outs?|(?:hard|soft)?[ _-]?bounc(?:ed?|es|ing)|(?:spam[ _-]?)?complain(?:ed|ts?)|marked as spam|undeliverable|unreachable",
    "do[ _-]?not[ _-]?(?:e-?)?(?:mail|contact)|black-?listed|block-?listed|abgemeldet|ausgetragen|abbestellt|unzustellbar|desabonnee?s?|desinscrite?s?|disiscritt[aoie]",
    "desuscrit[ao]|dado de baja|de baja|descadastrad[ao]|uitgeschreven|afgemeld|wypisan[yae]|odhlasen[yao]?|avregistrerad|avprenumererad|avanmald|avmeldt|afmeldt|frameldt",
    "leiratkozott|dezabonat|配信停止|退会|수신거부|구독취소|退订|已退订|退訂|отписан[ао]?|отписал(?:ся|ась)|відписан(?:ий|а)",
  ].join("|")})$`,
);

/** A URL alone is no sign of an opt-out: every person has a link to the unsubscribe page. */
export const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text);

/** The reason of a word that is only about subscriptions, alone or among the tags of a cell. */
export function sureReasonIn(text: string): LeavingReason | null {
  if (text.length > 400 || isWebAddress(text)) return null;
  const pieces = foldAccents(text).split(/\s*(?:[;,|/\n]|:::|\s[-–—]\s)\s*/);
  const word = pieces.find((piece) => sure.test(piece.trim()));
  // A person may be subscribed to one list and not to another, which is ambiguous.
  if (word === undefined || pieces.some((piece) => meaningOfWord(piece) === "active")) return null;
  return reasonIn(word);
}

const fillers =
  /^(?:\d+|all|the|of|list|lists|liste|listen|lista|newsletter|newsletters|export|exported|contacts?|kontakte?|people|persons?|members?|users?|subscribers?|audience|e?-?mails?|addresses|adressen|global|group|report|csv|tsv|txt|xlsx|ods|json|copy|segment|v\d+|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)$/;

/** The reason that a heading or file name gives for all its people; null if it is ambiguous. */
export function reasonOfHeading(text: string): LeavingReason | null {
  const words = foldAccents(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !fillers.test(word));
  const whole = meaningOfWord(words.join(""));
  if (isLeavingReason(whole)) return whole;
  const found = words.map(meaningOfWord);
  return words.length > 0 && found.every(isLeavingReason) ? (found[0] as LeavingReason) : null;
}

/** The gravest reason in a text that mentions opting out. */
export function reasonIn(text: string): LeavingReason {
  const plain = foldAccents(text);
  if (/spam|complain|junk|abuse|beschwerde|plainte|queja|reclam|klacht|迷惑|苦情|投诉|投訴|스팸/.test(plain))
    return "complained";
  return /bounc|undeliver|unzustell|rebond|rebot|rimbalz|onbestel|studsa|palautun|不達|退信|반송|invalid|cleaned/.test(
    plain,
  )
    ? "bounced"
    : "unsubscribed";
}
