import type { Status } from "../status-moves";
import { isNothing } from "./clean-text";

/** A column of words such as "active", or a yes/no column. */
export type StatusRole = "status" | "subscribed" | "unsubscribed";
export const isStatusRole = (role: string): role is StatusRole =>
  role === "status" || role === "subscribed" || role === "unsubscribed";

// As newsletter services write them. Who bounced, complained or was cleaned away must not be mailed: unsubscribed.
const words: Record<Status, string> = {
  active: `active subscribed subscriber confirmed enabled aktiv abonniert bestatigt angemeldet actif active_subscription
    abonne inscrit confirme activo suscrito confirmado attivo iscritto confermato ativo inscrito actief ingeschreven
    prenumererar aktywny aktivni активен подписан optedin opted_in double_opt_in`,
  pending: `pending unconfirmed waiting validating awaitingconfirmation ausstehend unbestatigt wartend enattente
    nonconfirme pendiente sinconfirmar inattesa nonconfermato pendente inafwachting vantande oczekujacy`,
  unsubscribed: `unsubscribed inactive disabled cancelled canceled cleaned bounced hardbounced complained spam
    blocked blocklisted blacklisted suppressed deleted removed archived optedout invalid undeliverable nonsubscribed
    abgemeldet inaktiv gekundigt gesperrt geloscht desabonne desinscrit inactif bloque annule baja inactivo
    dadodebaja cancelado disiscritto inattivo annullato inativo descadastrado uitgeschreven inactief avregistrerad
    wypisany nieaktywny отписан неактивен`,
};
const yes = new Set("true yes y 1 ja oui si sim tak да x on wahr vrai".split(" "));
const no = new Set("false no n 0 nein non nao nie нет off falsch faux nee nej".split(" "));

const statusOf = new Map<string, Status>();
for (const [status, list] of Object.entries(words)) {
  for (const word of list.split(/\s+/)) statusOf.set(bareWord(word), status as Status);
}

function bareWord(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The status that a word means, or null. */
export function statusOfWord(text: string): Status | null {
  if (text.length > 40) return null;
  return statusOf.get(text) ?? statusOf.get(bareWord(text)) ?? null;
}

/** What a yes/no cell means, or null. */
export function yesOrNo(text: string): boolean | null {
  if (text.length > 8) return null;
  const word = bareWord(text);
  return yes.has(word) ? true : no.has(word) ? false : null;
}

/** A day, as columns write it that tell since when somebody has unsubscribed. */
export const isDate = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/;

/** The status that a cell of such a column means; null when it means none, "unknown" when nobody knows. */
export function statusOfCell(role: StatusRole, cell: string): Status | "unknown" | null {
  if (cell === "" || isNothing(cell)) return null;
  const answer = role === "status" ? null : yesOrNo(cell);
  // A yes only means that they have not unsubscribed; the form decides whether they are active or asked first.
  if (answer !== null) return answer === (role === "subscribed") ? null : "unsubscribed";
  if (role === "unsubscribed" && isDate.test(cell)) return "unsubscribed";
  return statusOfWord(cell) ?? "unknown";
}
