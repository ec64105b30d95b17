import { cleanName, isNothing } from "./clean-text";
import { mentionsOptOut } from "./leaving-signs";
import type { ColumnRole, columnRoles, PastedPerson } from "./list-types";
import { sureReasonIn } from "./meanings";
import { foldAccents } from "./plain-words";
import { signOfTitle } from "./title-signs";

// Titles of spreadsheets and newsletter services, compared without case, accents, spaces and punctuation. English,
// German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Hungarian,
// Romanian, Turkish, Greek, Russian, Ukrainian, Japanese, Chinese, Korean.
const titles: Partial<Record<(typeof columnRoles)[number], string>> = {
  email: `email emails mail emailaddress emailaddresses mailaddress emailid useremail subscriberemail memberemail
    contactemail customeremail youremail primaryemail emailprimary emailaddressprimary email1 email1value emailaddress1
    emailhome emailwork workemail homeemail personalemail adresseemail emailadresse mailadresse emailadressen
    adressedemessagerie courrierelectronique adressemail adressedecourriel courriel adresseelectronique mel correo correoelectronico direcciondecorreo
    direcciondecorreoelectronico direcciondeemail emailcontacto indirizzoemail indirizzodiposta postaelettronica
    enderecodeemail correioeletronico correioelectronico emailadres mailadres epost epostadress epostadresse epostaddress
    epostadresser mejl mejladress mailadresser sahkoposti sahkopostiosoite adresemail adresmail adresemailowy poczta
    emailova emailovaadresa emailadresa emailcim epostacim emailcime ecim eposta epostaadresi emailadresi adresademail
    διευθυνσηemail ηλεκτρονικηδιευθυνση почта электроннаяпочта адресэлектроннойпочты имеил емаил емейл эпочта
    электроннаяпошта електроннапошта адресаелектронноїпошти メール メールアドレス eメール eメールアドレス 電子メール 邮箱 电子邮箱
    电子邮件 邮件地址 电子邮件地址 電子郵件 電子郵件地址 信箱 이메일 이메일주소 전자우편 메일주소`,
  name: `name fullname yourname nom displayname contactname subscribername membername customername personname names
    contact vollername vollstandigername anzeigename namevollstandig vornamenachname vornameundnachname nameundvorname vorundnachname nachundvorname
    nomcomplet nomprenom prenomnom nometprenom prenometnom nomaffiche nombrecompleto nombreyapellidos nombreapellidos
    nombreyapellido nome nomecompleto nomeecognome nomecognome nomeesobrenome nombre naam volledigenaam namn
    fullstandigtnamn fornamnochefternamn navn fuldenavn fulltnavn nimi kokonimi imieinazwisko nazwa jmeno celejmeno
    jmenoaprijmeni nev teljesnev nume numecomplet isim adsoyad adisoyadi ονομα ονοματεπωνυμο имя фио полноеимя імя піб
    名前 氏名 お名前 姓名 名字 이름 성명`,
  firstName: `firstname first fname givenname forename vorname rufname prenom primernombre nombres nomeproprio
    voornaam fornamn fornavn etunimi imie krestnijmeno keresztnev utonev prenume ad adi 名 given
    christianname`,
  lastName: `lastname last lname surname familyname family nachname familienname zuname nomdefamille apellido apellidos
    primerapellido cognome sobrenome apelido ultimonome achternaam efternamn etternavn efternavn sukunimi nazwisko
    prijmeni vezeteknev csaladnev numedefamilie soyad soyadi soyisim επωνυμο фамилия прізвище 姓 苗字 성`,
  status: `status subscriptionstatus subscriberstatus memberstatus emailstatus contactstatus subscribestatus
    emailsubscriptionstatus marketingstatus emailmarketingstatus abostatus abonnement abonnementstatus statut
    statutabonnement estado estadodesuscripcion stato statoiscrizione situacao stav tila allapot durum статус 状态 状態
    ステータス 상태`,
  subscribed: `subscribed issubscribed optin optedin newsletter active isactive enabled isenabled aktiv actif activo attivo ativo
    actief 有効 활성`,
  unsubscribed: `unsubscribed isunsubscribed disabled`,
  middleName: `middlename middle tussenvoegsel tussenvoegsels infix secondname zweitername secondprenom segundonombre`,
  optedInAt: `optintime optindate optintimestamp subscribedat subscribedon subscribedate subscriptiondate signupdate signupat
    signedupat signeduptime joined joinedat joindate registered registeredat registrationdate registriert registriertam
    angemeldetam anmeldedatum inscritle datedinscription fechadealta fechadesuscripcion datadiiscrizione
    inschrijfdatum datazapisu`,
  ip: `ip ipaddress optinip confirmip signupip ipadresse`,
  source: `source signupsource optinsource subscriptionsource quelle origen herkunft origine fonte bron`,
};

const roleOf = new Map<string, ColumnRole>();
for (const [role, words] of Object.entries(titles)) {
  for (const word of words.split(/\s+/))
    if (!roleOf.has(bareTitle(word))) roleOf.set(bareTitle(word), role as ColumnRole);
}

function bareTitle(title: string): string {
  return foldAccents(title.slice(0, 80).replace(/\([^()]*\)|\*+$/g, ""))
    .replace(/ß/g, "ss")
    .replace(/ı/g, "i")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The role of a title, or null. `E-Mail`, `EMAIL ADDRESS`, `e_mail` and `Email*` are the same title. */
export function roleOfTitle(title: string): ColumnRole | null {
  return title.length > 80 || title.includes("@") ? null : (roleOf.get(bareTitle(title)) ?? null);
}

const aboutEmail = /e-?mail/i;
const notTheAddress =
  /status|opt|verif|disab|sent|open|count|date|time|type|\bid\b|_id$|subject|market|consent|permi|subscri|format|client|label|valid|name|lang|last|first|2|3|second|alternat/i;

/** Whether a title outside the table mentions the email address: "Student email", "E-Mail (privat)". */
export function mayTitleEmail(title: string): boolean {
  return title.length <= 40 && aboutEmail.test(title) && !title.includes("@") && !notTheAddress.test(title);
}

// Accepts "What's your name?" and "Billing first name", but not "Company name".
function roleOfPhrase(title: string): ColumnRole {
  if (title.length > 60 || notAName.test(title)) return "ignored";
  if (/\b(?:first|given)[ _-]?name\b/i.test(title)) return "firstName";
  if (/\b(?:last|family)[ _-]?name\b|\bsurname\b/i.test(title)) return "lastName";
  return /\bname\b/i.test(title) ? "name" : "ignored";
}
const notAName =
  /account|item|company|user|nick|middle|school|organi[sz]|business|file|event|list|campaign|product|ticket|domain|host|tag|group|plan|tier|street|city|country|pet|phonetic|prefix|suffix|maiden|e-?mail/i;

/**
 * Gives each role to the first title that has it. "Name" is the last name beside "Vorname", and "Nombre" is the first
 * name beside "Apellidos".
 */
export function rolesOfTitles(header: readonly string[]): ColumnRole[] {
  const exact = header.map(roleOfTitle);
  const roles = header.map((title, index) => exact[index] ?? signOfTitle(title) ?? roleOfPhrase(title));
  // In exports of Calendly the user is the host, and the invitee the person.
  const [host, invitee] = [header.indexOf("User Email"), header.indexOf("Invitee Email")];
  if (host !== -1 && invitee !== -1 && header.includes("Event Type Name")) {
    roles[host] = "ignored";
    roles[invitee] = "email";
  }
  if (!roles.includes("email")) {
    const index = header.findIndex(mayTitleEmail);
    if (index !== -1) roles[index] = "email";
  }
  const seen = new Set<ColumnRole>();
  for (const [index, role] of roles.entries()) {
    if (seen.has(role) && isOncePerPerson(role)) roles[index] = "ignored";
    seen.add(role);
  }
  const name = roles.indexOf("name");
  if (name !== -1 && seen.has("firstName") && seen.has("lastName")) {
    // Beside first and last name, "Account name" names something else.
    if (!exact[name]) roles[name] = "ignored";
  } else if (name !== -1 && seen.has("firstName")) roles[name] = "lastName";
  else if (name !== -1 && seen.has("lastName")) roles[name] = "firstName";
  else if (name === -1 && seen.has("firstName") && !seen.has("lastName"))
    roles[roles.indexOf("firstName")] = "name";
  else if (name === -1 && seen.has("lastName") && !seen.has("firstName"))
    roles[roles.indexOf("lastName")] = "name";
  return roles;
}

const nameParts: readonly ColumnRole[] = ["firstName", "middleName", "lastName"];
export const isNamePart = (role: ColumnRole) => nameParts.includes(role);
export const isNameRole = (role: ColumnRole) => role === "name" || isNamePart(role);
const oncePerPerson: readonly ColumnRole[] = ["email", "ip", "source"];
/** Several columns may report an opt-out, but a person has only one name. */
export const isOncePerPerson = (role: ColumnRole) =>
  isNameRole(role) || oncePerPerson.includes(role) || role.startsWith("field:");

/**
 * Names a person by the cells of a table row, a JSON object or a block, if they have a name.
 * @param textOf returns a column's cell, or ""
 */
export function applyNameCells(
  found: { turned(name: string, offset: number): string; nameOfCell(text: string): string },
  person: PastedPerson,
  roles: readonly ColumnRole[],
  textOf: (index: number) => string,
): void {
  const cellOf = (role: ColumnRole) => {
    const index = roles.indexOf(role);
    return index === -1 ? "" : found.nameOfCell(textOf(index));
  };
  const whole = cellOf("name");
  if (whole !== "") {
    person.name = found.turned(whole, person.address.from);
    return;
  }
  let name = "";
  let last = "";
  for (const role of nameParts) {
    const part = cellOf(role);
    if (part === "" || part === last) continue;
    name = name === "" ? part : `${name} ${part}`;
    last = part;
  }
  if (name !== "") person.name = name;
}

// Markdown writes **Ada**, SQL writes 'Ada'.
const emphasis = /^(\*\*|__|\*|_|`|')(.+)\1$/;

/** @returns "" for a cell without a name */
export function nameOfCell(written: string): string {
  const text = cleanName(written).replace(emphasis, "$2");
  if (text === "" || isNothing(text) || (text.includes("@") && !/\s/.test(text))) return "";
  return mentionsOptOut(text, true) && sureReasonIn(text) !== null ? "" : text;
}
