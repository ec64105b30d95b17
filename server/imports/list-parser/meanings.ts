import { runsOfWords, speaksOfLeaving } from "./leaving-signs";
import type { LeavingReason, Meaning } from "./list-types";
import { withoutAccents } from "./plain-words";
import { isLeavingReason, meaningOfWord } from "./status-words";

/** What one of the words of a status means: of several the strictest. "Twardo odbity" is a bounce. */
export function meaningInside(text: string): Meaning | null {
  if (text.length > 80 || isNegated(text)) return speaksOfLeaving(text) ? reasonIn(text) : null;
  const found = runsOfWords(text).map(meaningOfWord);
  return found.find(isLeavingReason) ?? (found.includes("pending") ? "pending" : null);
}

export const isNegated = (text: string) =>
  /(?<!\p{L})(?:not|non|no|never|nicht|kein\w*|pas|niet|nie|ne|ikke|inte|ei|не)(?!\p{L})/iu.test(text);

// Words that are about the subscription wherever they stand; others may be about a payment, or a membership.
const sure = new RegExp(
  `^(?:${[
    "un-?sub(?:scribed?|s|scribes|scriber)?|opt(?:ed)?[ _-]?outs?|(?:hard|soft)?[ _-]?bounc(?:ed?|es|ing)|(?:spam[ _-]?)?complain(?:ed|ts?)|marked as spam|undeliverable|unreachable",
    "do[ _-]?not[ _-]?(?:e-?)?(?:mail|contact)|black-?listed|block-?listed|abgemeldet|ausgetragen|abbestellt|unzustellbar|desabonnee?s?|desinscrite?s?|disiscritt[aoie]",
    "desuscrit[ao]|dado de baja|de baja|descadastrad[ao]|uitgeschreven|afgemeld|wypisan[yae]|odhlasen[yao]?|avregistrerad|avprenumererad|avanmald|avmeldt|afmeldt|frameldt",
    "leiratkozott|dezabonat|配信停止|退会|수신거부|구독취소|退订|已退订|退訂|отписан[ао]?|отписал(?:ся|ась)|відписан(?:ий|а)",
  ].join("|")})$`,
);

/** A web address alone says nothing of its person: that of an unsubscribe page is everybody's. */
export const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text);

/** The reason of a word that is about the subscription and nothing else, alone or among the tags of a cell. */
export function sureReasonIn(text: string): LeavingReason | null {
  if (text.length > 400 || isWebAddress(text)) return null;
  const pieces = withoutAccents(text).split(/\s*(?:[;,|/\n]|:::|\s[-–—]\s)\s*/);
  const word = pieces.find((piece) => sure.test(piece.trim()));
  // Subscribed to one list and not to another: nobody knows which.
  if (word === undefined || pieces.some((piece) => meaningOfWord(piece) === "active")) return null;
  return reasonIn(word);
}

const fillers =
  /^(?:\d+|all|the|of|list|lists|liste|listen|lista|newsletter|newsletters|export|exported|contacts?|kontakte?|people|persons?|members?|users?|subscribers?|audience|e?-?mails?|addresses|adressen|global|group|report|csv|tsv|txt|xlsx|ods|json|copy|segment|v\d+|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)$/;

/** The reason that a heading, or the name of a file, gives for everybody under it; null where it is not so plain. */
export function reasonOfHeading(text: string): LeavingReason | null {
  const words = withoutAccents(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !fillers.test(word));
  const whole = meaningOfWord(words.join(""));
  if (isLeavingReason(whole)) return whole;
  const found = words.map(meaningOfWord);
  return words.length > 0 && found.every(isLeavingReason) ? (found[0] as LeavingReason) : null;
}

/** The reason that a text gives which speaks of leaving: that of the word that says most. */
export function reasonIn(text: string): LeavingReason {
  const plain = withoutAccents(text);
  if (/spam|complain|junk|abuse|beschwerde|plainte|queja|reclam|klacht|迷惑|苦情|投诉|投訴|스팸/.test(plain))
    return "complained";
  return /bounc|undeliver|unzustell|rebond|rebot|rimbalz|onbestel|studsa|palautun|不達|退信|반송|invalid|cleaned/.test(
    plain,
  )
    ? "bounced"
    : "unsubscribed";
}
