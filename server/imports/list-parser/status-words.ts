import { type LeavingReason, leavingReasons, type Meaning } from "./list-types";
import { memoized } from "./memoized";
import { foldAccents } from "./plain-words";

// Status words of newsletter services and people, in English, German, French, Spanish, Italian, Dutch, Portuguese,
// Polish, Czech, Danish, Swedish, Norwegian, Finnish, Japanese, Korean, Chinese, Russian and Ukrainian. Compared
// without case, accents, spaces, punctuation and final vowels: désabonné, Désabonnée and DESABONNES are the same.
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

const plainWord = (text: string) => foldAccents(text).replace(/[^\p{L}\p{N}]+/gu, "");

const meaningOf = new Map<string, Meaning>();
for (const [meaning, list] of Object.entries(words))
  for (const word of list.split(/\s+/)) meaningOf.set(bareWord(word), meaning as Meaning);

/** The meaning of a whole cell or remark; null if it is not a status word. */
export function meaningOfWord(text: string): Meaning | null {
  if (text.length > 48) return null;
  // RFC 3463 codes: 5.1.1 means "no such mailbox".
  return /^[45]\.\d{1,3}\.\d{1,3}$|^5[0-5]\d$/.test(text) ? "bounced" : knownMeaning(text);
}
const knownMeaning = memoized((text) => meaningOf.get(bareWord(text)) ?? null, 20_000);

export const isStatusWord = (text: string) => (meaningOfWord(text) ?? "nothing") !== "nothing";

export const isLeavingReason = (meaning: Meaning | null): meaning is LeavingReason =>
  leavingReasons.some((reason) => reason === meaning);

export const leavingWords = leavingReasons.map((reason) => words[reason]).join(" ");
