import { type LeavingReason, leavingReasons, type Meaning } from "./list-types";

// What newsletter services and people write about a subscription, in English, German, French, Spanish, Italian, Dutch,
// Portuguese, Polish, Czech, Danish, Swedish, Norwegian, Finnish, Japanese, Korean, Chinese, Russian and Ukrainian.
// Compared without case, accents, spaces, punctuation and the last vowels: désabonné, Désabonnée and DESABONNES are one.
const words: Record<Meaning, string> = {
  active: `express explicit implied given granted agreed active subscribed subscriber confirmed enabled optedin optin doubleoptin singleoptin
    aktiv abonniert bestätigt angemeldet eingetragen actif abonné inscrit confirmé activo suscrito suscripto confirmado alta feliratkozott feliratkozva abonat confirmat abone onaylandı
    attivo iscritto confermato actief ingeschreven aangemeld geabonneerd bevestigd ativo inscrito assinante
    aktywny zapisany potwierdzony aktivní přihlášen přihlášený potvrzený tilmeldt bekræftet prenumererar prenumerant
    bekräftad påmeldt abonnerer bekreftet aktiivinen tilaaja vahvistettu 有効 購読中 登録済み 配信中 アクティブ 購読
    활성 구독 구독중 수신 수신동의 동의 活跃 已订阅 订阅 有效 启用 已确认 已訂閱 已確認 正常
    активен активный подписан подтвержден активний підписаний`,
  pending: `pending unconfirmed notconfirmed awaitingconfirmation confirmationpending pendingconfirmation
    optinpending doubleoptinpending unactivated notactivated waiting waitingforconfirmation ausstehend unbestätigt nichtbestätigt wartend
    bestätigungausstehend enattente attente enattentedeconfirmation nonconfirmé àconfirmer pendiente sinconfirmar noconfirmado pendientedeconfirmar
    inattesa nonconfermato daconfermare inattesadiconferma inafwachting nietbevestigd onbevestigd wachtend
    pendente nãoconfirmado aguardando aguardandoconfirmação oczekujący oczekuje niepotwierdzony čekající čeká
    nepotvrzený afventer ikkebekræftet ubekræftet väntande väntar ejbekräftad obekräftad venter ikkebekreftet
    ubekreftet odottaa odottaavahvistusta vahvistamaton vahvistamatta doaktywacji megerősítésrevár beklemede 保留 未確認 確認待ち 仮登録 承認待ち 대기 대기중 미확인
    미인증 待确认 未确认 待確認 等待确认 ожидает ожидаетподтверждения неподтвержден очікує`,
  unsubscribed: `unsubscribed unsubscribe unsub unsubs unsubscribes suppressions optouts out noconsent noconsentgiven nonmarketingcontact suspended
    leiratkozott leiratkozva leiratkozás törölt dezabonat dezabonare anulat aboneliktençıktı iptal desuscripto διαγραφή
    διαγραμμένος διεγράφη inactive disabled cancelled canceled suppressed suppression
    manualsuppression deleted removed archived optedout optout nonsubscribed notsubscribed neversubscribed
    unsubscribedbyadmin unsubscribedviaemail globalunsubscribe groupunsubscribe donotemail donotcontact donotmail
    dontemail dontmail nomail nomails noemail noemails dnc blocked blocklisted blacklisted blocklist blacklist banned
    deactivated declined revoked withdrawn stopped left quit gone resigned forgotten erased unsubscriber unsubscribers
    abgemeldet ausgetragen inaktiv gekündigt gesperrt gelöscht abbestellt deaktiviert abgelehnt widerrufen entfernt
    ausgetreten blockiert storniert nichtabonniert austritt abmeldung abmeldungen keinemails keinemail nichtanschreiben
    désabonné désinscrit inactif bloqué annulé supprimé résilié désactivé refusé radié nonabonné désabonnement
    désinscription listenoire inactivo desuscrito dadodebaja debaja baja bajas anulado cancelado eliminado bloqueado
    desactivado nosuscrito inattivo disiscritto cancellato annullato disattivato bloccato rimosso revocato noniscritto
    disiscrizione inactief uitgeschreven afgemeld geblokkeerd opgezegd verwijderd geannuleerd uitgeschakeld
    nietgeabonneerd inativo descadastrado desinscrito removido excluído desativado nãoinscrito descadastro
    nieaktywny wypisany wypisana anulowany usunięty zablokowany zrezygnował zrezygnowała rezygnacja neaktivní odhlášen
    odhlášený odhlášeno zrušený zrušeno smazaný smazáno zablokovaný vyřazen vyřazeno afmeldt frameldt slettet blokeret
    opsagt avregistrerad avprenumererad avanmäld avslutad borttagen raderad blockerad uppsagd avmeldt meldtav
    blokkert oppsagt avsluttet avbestilt peruttu peruutettu peruuttanut tilausperuttu poistettu poistunut estetty
    epäaktiivinen eitilattu eitilaaja lopettanut passiivinen 解除 配信停止 退会 停止 停止中 購読解除 登録解除 無効 削除 削除済み
    配信拒否 退会済み 解約 受信拒否 拒否 ブロック 購読停止 未購読 購読解除済み 해지 수신거부 구독취소 탈퇴 해제 비활성 구독해지
    차단 삭제 거부 정지 미동의 비동의 구독안함 휴면 退订 已退订 取消订阅 已取消 已取消订阅 停用 已停用 禁用 黑名单 已删除 无效
    未订阅 拒收 退訂 已退訂 取消訂閱 已取消訂閱 黑名單 已刪除 無效 未訂閱 отписан отписался отписана отписалась отписка
    неактивен неактивный удален заблокирован отменен неподписан відписаний відписався неактивний видалений`,
  bounced: `bounced bounce hardbounce hardbounced softbounce softbounced bounces hardbounces cleaned invalid
    undeliverable undelivered unreachable bouncing nonexistent dead unzustellbar rückläufer ungültig zurückgewiesen
    hartzurückgewiesen rebond rebonddur rebondi nondélivrable nondistribuable invalide npai rebotado rebote rebotada
    inválido noentregable rimbalzato rimbalzo respinto nonvalido rejeitado devolvido gebounced onbestelbaar ongeldig
    odbity odbicie niedostarczony nieprawidłowy zwrot nedoručitelný nedoručeno vrácený neplatný afvist ugyldig
    returneret studsad studsat studsade ogiltig avvist returnert palautunut hylätty virheellinen バウンス エラー 不達
    配信不能 配信エラー 送信エラー 반송 반송됨 발송실패 오류 退信 退回 硬退信 弹回 无法投递 無法投遞 недоставлено недоставлен
    ошибка недоставлено`,
  complained: `complained complaint complainer spam spamcomplaint spamcomplaints spamreport spamreported markedasspam
    reportedspam reportedasspam junk abuse abusecomplaint feedbackloop beschwerde spammeldung spambeschwerde 
    signalécommespam signalé queja denunciado marcadocomospam reclamo segnalatospam segnalatocomespam denunciouspam
    reclamação klacht spamklacht skarga stížnost spamklage klage klagomål valitus roskaposti 迷惑メール 迷惑メール報告
    苦情 스팸신고 스팸 投诉 投訴 垃圾邮件 垃圾郵件 举报 спам жалоба`,
  nothing: `marketingcontact admin member owner guest user attending attended going checkedin valid verified deliverable accepted email digest gültig valide válido
    valido geldig ważny platný gyldig giltig`,
};

function bareWord(text: string): string {
  const word = /^[a-z]+$/.test(text) ? text : plainWord(text);
  return word.length < 6 || !/[a-z]$/.test(word) ? word : word.replace(/(?:[aeoy]s?|s)$/, "");
}

function plainWord(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ł/g, "l")
    .replace(/ø/g, "o")
    .replace(/æ/g, "ae")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

const meaningOf = new Map<string, Meaning>();
for (const [meaning, list] of Object.entries(words))
  for (const word of list.split(/\s+/)) meaningOf.set(bareWord(word), meaning as Meaning);

/** What a cell, or a remark, means as a whole; null when it is not such a word. `["HARD_BOUNCE"]` is "hard bounce". */
export function meaningOfWord(text: string): Meaning | null {
  if (text.length > 48) return null;
  // The codes of RFC 3463: 5.1.1 is "no such mailbox".
  if (/^[45]\.\d{1,3}\.\d{1,3}$|^5[0-5]\d$/.test(text)) return "bounced";
  let meaning = knownMeanings.get(text);
  if (meaning === undefined) {
    meaning = meaningOf.get(bareWord(text)) ?? null;
    if (knownMeanings.size < mostKnown) knownMeanings.set(text, meaning);
  }
  return meaning;
}
// Long lists have the same names and words again and again.
const knownMeanings = new Map<string, Meaning | null>();
const mostKnown = 20_000;

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

/** The reason of a word that is about the subscription and nothing else, alone or among the tags of a cell. */
export function sureReasonIn(text: string): LeavingReason | null {
  if (text.length > 400) return null;
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

export function isLeavingReason(meaning: Meaning | null): meaning is LeavingReason {
  return meaning === "unsubscribed" || meaning === "bounced" || meaning === "complained";
}

// Beginnings of words that speak of leaving wherever they stand in a text; lower case, without accents.
const stems = `unsub bounc complain complaint blacklist blocklist suppress optout optedout donotemail donotmail
  donotcontact undeliver deactivat deaktivier spam abgemeld abmeld abbestell austrag ausgetrag ausgetret austritt gekundig kundig
  unzustellbar gesperrt loschen geloscht widerruf widerspr desabonn desinscri supprim rebond 
  rebot desuscri leiratkoz dezabon suspend anulad cancelad eliminad disiscri cancellat disattiv rimbalz uitgeschrev uitschrijv afgemeld afmeld
  opgezegd onbestelbaar descadastr desinscr wypis rezygn usuniet odhlas zrus smazat smazan vyrad framel avregistr
  avprenumer avanmal avmeld avbestill oppsagt opsagt slettet borttag studsa peruut perunut perutt poistet poistun
  palautun irtisan cancelled canceled unreachable deceased`;
// Ordinary words too: they speak of leaving only in a short text.
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
const anyStem = new RegExp(`(?<![a-z])(?:${alternatives(stems)})|${phrases.join("|")}`);
const anyShortStem = new RegExp(`(?<![a-z])(?:${alternatives(shortStems)})(?![a-z])`);
const longestShort = 60;

/**
 * Whether any part of a text speaks of leaving, in the languages above.
 * @param isName somebody may be called Gone
 */
export function speaksOfLeaving(text: string, isName = false): boolean {
  if (text.length < 2) return false;
  if (!maySpeak(text)) return false;
  const plain = isPlain.test(text) ? text.toLowerCase() : withoutAccents(text);
  if (anyStem.test(plain) || eastern.test(plain)) return true;
  if (plain.length > longestShort) return false;
  return (!isName && anyShortStem.test(plain)) || runsOfWords(plain).some((run) => leavesBy(run, isName));
}

const mayBeNames = new Set(
  "left gone out dead quit stopped junk abuse invalid baja bajas klage bounce spam banned held".split(" "),
);
const leavesBy = (run: string, isName: boolean) =>
  isLeavingReason(meaningOfWord(run)) && !(isName && mayBeNames.has(run)) && !/^\d/.test(run);

/** Each word, and each two and three in a row. */
function runsOfWords(text: string): string[] {
  const found = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return found.flatMap((word, at) => {
    if (letterAt(word, 0) !== 0 && starts[startOf(word, 0)] !== 1) return [];
    const two = found[at + 1] === undefined ? [] : [`${word} ${found[at + 1]}`];
    return [word, ...two, ...(found[at + 2] === undefined ? [] : [`${two} ${found[at + 2]}`])];
  });
}

// The first three letters of every word above, and the first two for those written apart, of 26 letters and none: most
// names and notes are told by these alone, in a tenth of the time.
const starts = new Uint8Array(27 ** 3);
/** By its code, which of 26 letters a Latin one is without its accents, from 1. */
const letterOf = Uint8Array.from({ length: 0x250 }, (_, code) => {
  const letter = withoutAccents(String.fromCharCode(code)).charCodeAt(0) - 0x60;
  return letter >= 1 && letter <= 26 ? letter : 0;
});
const leavingWords = leavingReasons.map((reason) => words[reason]).join(" ");
for (const word of withoutAccents(`${stems} ${shortStems} ${phraseStarts} ${leavingWords}`)
  .trim()
  .split(/\s+/))
  starts[startOf(word, 0)] = starts[startOf(word.slice(0, 2), 0)] = 1;

function letterAt(text: string, at: number): number {
  return letterOf[text.charCodeAt(at)] ?? 0;
}

function startOf(text: string, at: number): number {
  const [first, second] = [letterAt(text, at), letterAt(text, at + 1)];
  const third = second === 0 ? 0 : letterAt(text, at + 2);
  return (first * 27 + second) * 27 + third;
}

function maySpeak(text: string): boolean {
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isLetter = letterAt(text, at) !== 0;
    if (isLetter && !inWord && starts[startOf(text, at)] === 1) return true;
    // Of other scripts the words themselves must tell; punctuation such as ’ says nothing.
    const isOther = unit >= letterOf.length && (unit < 0x2000 || unit > 0x206f);
    if (isOther || unit === 0x7e) return true;
    inWord = isLetter;
  }
  return false;
}
const isPlain = /^[ -~]*$/;

function withoutAccents(text: string): string {
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

const yes = new Set(
  "true yes y 1 ja j oui o si sim s tak t ano igen kylla joo da да так x on wahr vrai verdadero vero sant はい 是 예 네 ✓ ✔ ☑ ok".split(
    " ",
  ),
);
const no = new Set(
  "false f no n 0 nein non nao não nie ne nem ei nee nej нет ні off falsch faux falso osant epatosi いいえ 否 아니오 아니요 ✗ ✘ ☐ never none".split(
    " ",
  ),
);

/** What a yes/no cell means, or null. */
export function yesOrNo(text: string): boolean | null {
  if (text.length > 9) return null;
  const word = text
    .trim()
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return yes.has(word) ? true : no.has(word) ? false : null;
}
