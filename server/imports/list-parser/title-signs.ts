import type { ColumnRole } from "./list-types";
import { foldAccents } from "./plain-words";

// Words in titles that no exact list has, such as "Portal Unsubscribe" and "EmailBouncedDate". The title is in lower
// case, without accents, with spaces between words.

const otherChannel = /\b(?:sms|phone|mobile|telephone|telefon|whatsapp|fax|push|calls?|postal|viber|line)\b/;
const complained = /complain|\bspam|\bjunk\b|\babuse|beschwerde|plainte|queja|klacht|reclamo|迷惑|스팸|投诉/;
const bounced =
  /bounc|undeliver|unzustellbar|rebond|rebote|rimbalz|onbestelbaar|studs|\bclean(?:ed)?\b|\bon hold\b|不達|반송|退信/;
const left = new RegExp(
  [
    "unsub|de ?subscrib|opt(?:ed|s)? ?out|optout|no ?(?:e ?)?mails?\\b|(?:do|does|did) ?not ?(?:e ?mail|mail|contact|send|market|solicit|bulk)|don t (?:e ?mail|mail|contact)",
    "black ?list|block ?list|\\bblocked|suppress|\\bdelet|\\bremoved|disabl|deactiv|inactiv|cancel(?:l?ed|lation)|\\bdnc\\b|\\bdne\\b|archived|\\bstop(?:ped)?\\b|revoked|withdrawn|\\bbanned|expired|exclud|suspend|nomail|\\bexit|\\bleft\\b|resigned|deceased",
    "abgemeldet|abmelde|abbestell|ausgetragen|austritt|gekundigt|gesperrt|geloscht|deaktivier|widerruf|widerspr|keine? ?e? ?mails?\\b|inaktiv",
    "desabonn|desinscri|desactiv|resili|supprim|\\bbaja\\b|desuscri|disiscri|cancellat|uitgeschreven|uitschrijf|afgemeld|opgezegd|descadastr|wypis|rezygn|odhlas|afmeld|framel|avregistr|avprenum|avanmal|avmeld|peruut|peruttu|palautun",
    "leiratkoz|dezabon|配信停止|退会|退會|解除|解約|拒否|退订|退訂|取消订阅|取消訂閱|수신거부|구독취소|해지|탈퇴|отпис|відпис",
  ].join("|"),
);
const confirmed =
  /\bconfirm(?:ed|ation)?\b|double ?opt|\bdoi\b|bestatigt|bestatigung|aktiviert|confirme|confirmado|confermato|bevestigd|potwierdz|potvrz|bekraft|bekraeft|bekreft|vahvist/;
const agreed =
  /allow(?:s|ed)? (?:\w+ )?(?:mass ?)?(?:e ?)?mail|receive|wants? (?:\w+ )*(?:e ?mail|news)|feliratkoz|구독|希望|consent|permission|opt(?:ed|s)? ?in\b|optin|subscrib|subscription (?:pref|opt)|accepts? (?:\w+ )?marketing|accepts? (?:e ?)?mails?|(?:marketing|newsletter|e ?mails?) allowed|(?:can|may|could|should) we (?:e ?mail|write|contact|send)|prenumerer|mailing ?list|newsletter|einwilligung|zustimmung|abonni|consentement|abonne\b|consentimiento|suscri|consenso|iscritto|toestemming|nieuwsbrief|consentimento|zgoda|souhlas|samtyck|samtykke|nyhetsbrev|nyhedsbrev|suostumus|uutiskirje|\bgdpr\b|\brgpd\b|\bdsgvo\b|同意|동의|購読|メルマガ|뉴스레터|订阅|согласие|подписан/;
const time =
  /\b(?:at|on|date|time|timestamp|datum|day|when|since|am|le|fecha|data|dato|tag|zeit|zeitpunkt|ts|kiedy)\b|日|날짜|дата/;
/** "On mailing list" contains "on" but is not a date. */
const onTheList = /\bon (?:the |our |my )?(?=(?:mailing ?|e ?mail )?list\b|newsletter)/;
const address = /\b(?:ip|ip address|ip adresse)\b/;
const status = /\bstat(?:us|e|ut|o)\b|\bstatus|\bestado|\bstav\b|\btila\b|ステータス|状態|状态|상태|статус/;
/** Words that make a title about something else: a link, a text, a number. */
const somethingElse =
  /\b(?:link|url|uri|id|text|wording|version|method|name|title|template|page|token|code|rate|type|language|form|campaign|list)\b/;

/** Titles about customers, members and accounts, and about countries and languages, where "no" is Norwegian. */
const knownElsewhere =
  /\b(?:(?:customer|client|lead|deal|invoice|payment|shipping|booking|ticket) (?:status|state|stage)|country|land|language|lang|locale|sprache|sprak|sprog|orders?|spent|revenue|refund(?:s|ed)?|tax|delinquent|lifetime value|prospect|plan|gift(?:ed)?|sent|opens|clicks|email verified|guests?|host|attended|rsvp|admin|moderator|staged|trust level|billing|2fa|sso)\b/;

/** Whether a title is known to be about something other than the subscription. */
export const isKnownElsewhere = (title: string) => knownElsewhere.test(wordsOfTitle(title));

/** Splits `HasOptedOutOfEmail`, `EMAIL_BLACKLISTED` and `opted-out (e-mail)` into lower-case words without accents. */
function wordsOfTitle(title: string): string {
  return foldAccents(title.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The subscription role of a title, or null. */
export function signOfTitle(title: string): ColumnRole | null {
  if (title.length > 120) return null;
  const words = wordsOfTitle(title);
  const sign = complained.test(words)
    ? "complained"
    : bounced.test(words)
      ? "bounced"
      : left.test(words)
        ? "unsubscribed"
        : null;
  const isOtherChannel = otherChannel.test(words) && !/mail/.test(words);
  if (sign) return isOtherChannel ? "otherChannel" : sign;
  if (isOtherChannel)
    return status.test(words) || agreed.test(words) || /\bdo not\b/.test(words) ? "otherChannel" : null;
  if (address.test(words)) return "ip";
  const isTime = time.test(words.replace(onTheList, ""));
  if (confirmed.test(words)) return somethingElse.test(words) ? null : "confirmed";
  if (agreed.test(words)) {
    if (isTime) return "optedInAt";
    if (/\bsource\b|quelle|origen|herkomst|origine/.test(words)) return "source";
    if (status.test(words)) return "status";
    return somethingElse.test(words) && !/mailing ?list|newsletter/.test(words) ? null : "subscribed";
  }
  if (!status.test(words)) return null;
  return /mail|marketing|newsletter|member|contact|kontakt/.test(words) ? "status" : "state";
}
