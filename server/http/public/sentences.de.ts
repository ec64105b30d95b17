import { type Html, html } from "./html";
import type { Sentences } from "./sentences";

const writeTo = (write: Html | null) => write && html` Schreiben Sie an ${write}.`;

export const german: Sentences = {
  lang: "de",
  buttons: {
    confirm: "Abonnement bestätigen",
    deny: "Das war ich nicht",
    unsubscribe: "Abmelden",
    renew: "Neuen Link schicken",
  },
  next: (host) => `Weiter zu ${host}`,
  ask: (email) => ({
    title: "Abonnement bestätigen",
    status: "Noch nicht bestätigt",
    lead: html`Möchten Sie diesen Newsletter an <b>${email}</b> erhalten?`,
    aside:
      "Sie haben ihn nicht bestellt? Dann sagen Sie es uns: Ihre Adresse wird gelöscht, und dieser Newsletter schreibt Ihnen nicht noch einmal.",
  }),
  confirmed: (email) => ({
    title: "Bestätigt",
    status: "Bestätigt",
    lead: html`Sie sind angemeldet. Der Newsletter kommt an <b>${email}</b>.`,
    more: "Mehr ist nicht zu tun; Sie können diese Seite schließen.",
  }),
  already: ({ email, date }) => ({
    title: "Schon bestätigt",
    status: "Bestätigt",
    lead: html`Sie sind schon angemeldet: <b>${email}</b>${date && html` wurde am ${date} bestätigt`}.`,
    more: "Mehr ist nicht zu tun; Sie können diese Seite schließen.",
    aside: "War es jemand anderes, oder möchten Sie den Newsletter nicht mehr?",
  }),
  deniedTooLate: ({ email, date }) => ({
    title: "Schon bestätigt",
    status: "Bestätigt",
    lead: html`Es wurde nichts geändert: <b>${email}</b> wurde ${date ? `am ${date}` : "schon früher"} bestätigt.`,
    more: "Wenn Sie das nicht waren, melden Sie sich ab. Das gilt sofort.",
  }),
  removed: () => ({
    title: "Adresse gelöscht",
    status: "Gelöscht",
    lead: "Danke. Ihre Adresse steht nicht mehr auf der Liste, und dieser Newsletter schreibt Ihnen nicht noch einmal.",
    more: "Mehr ist nicht zu tun; Sie können diese Seite schließen.",
  }),
  removedAlready: () => ({
    title: "Adresse gelöscht",
    status: "Gelöscht",
    lead: "Das ist schon geschehen: Ihre Adresse steht nicht mehr auf der Liste, und dieser Newsletter schreibt Ihnen nicht noch einmal.",
    more: "Möchten Sie den Newsletter doch? Dann bestellen Sie ihn auf seiner eigenen Website.",
  }),
  left: (email) => ({
    title: "Abgemeldet",
    status: "Abgemeldet",
    lead: html`Sie sind abgemeldet. Der Newsletter kommt nicht mehr an <b>${email}</b>.`,
    more: "Mehr ist nicht zu tun; Sie können diese Seite schließen.",
  }),
  leftEarlier: (email, write) => ({
    title: "Abgemeldet",
    status: "Abgemeldet",
    lead: html`<b>${email}</b> ist abgemeldet; dieser Link bewirkt deshalb nichts mehr.`,
    more: html`Es wurde nichts geändert. Möchten Sie zurückkommen, bitten Sie den Newsletter um eine neue Bestätigungsmail.${writeTo(write)}`,
  }),
  suppressed: (email, write) => ({
    title: "Nicht auf der Liste",
    status: "Nicht auf der Liste",
    lead: html`Von <b>${email}</b> kam früher ein „Das war ich nicht“; mit diesem Link lässt sich die Adresse daher nicht bestätigen.`,
    more: html`Es wurde nichts geändert, und es wird nichts verschickt. Möchten Sie den Newsletter doch, sagen Sie es ihm.${writeTo(write)}`,
  }),
  expired: (email) => ({
    title: "Dieser Link ist abgelaufen",
    status: "Abgelaufen",
    lead: html`Dieser Link war zu alt, deshalb ist <b>${email}</b> noch nicht bestätigt.`,
    more: "Es wurde nichts geändert. Ein neuer Link kommt per E-Mail und gilt sieben Tage.",
  }),
  renewed: (email) => ({
    title: "Ein neuer Link ist unterwegs",
    status: "Noch nicht bestätigt",
    lead: html`Ein neuer Link ist unterwegs an <b>${email}</b>.`,
    more: "Das kann einige Minuten dauern. Sie können diese Seite schließen.",
  }),
  renewedAlready: (email) => ({
    title: "Dieser Link ist abgelaufen",
    status: "Abgelaufen",
    lead: html`Dieser Link ist zu alt, aber ein neuerer ging schon an <b>${email}</b>.`,
    more: "Nehmen Sie den Knopf in der neuesten E-Mail; sie kann einige Minuten brauchen.",
  }),
  outdated: () => ({
    title: "Dieser Link wurde ersetzt",
    status: "Ersetzt",
    lead: "Dieser Link gilt nicht mehr: Der Newsletter hat die Adresse geändert, an die er ging.",
    more: "Es wurde nichts geändert. Wenn Sie eine Bestätigung erwarten, nehmen Sie die neueste E-Mail.",
  }),
  gone: () => ({
    title: "Nicht auf der Liste",
    status: "Nicht auf der Liste",
    lead: "Diese Adresse steht nicht mehr auf der Liste; es gibt nichts zu bestätigen.",
    more: "Es wurde nichts geändert, und es wird nichts verschickt. Möchten Sie den Newsletter, bestellen Sie ihn auf seiner eigenen Website.",
  }),
  example: {
    title: "Eine Testmail",
    status: "Test",
    lead: "Dieser Link stammt aus einer Testmail: Er bestätigt niemanden, und es wurde nichts geändert.",
    more: "In der echten Mail öffnet er die Seite, auf der man das Abonnement bestätigt.",
  },
  notFound: {
    title: "Dieser Link führt nirgendwohin",
    status: "Nicht gefunden",
    lead: "Es wurde nichts geändert. Vielleicht ist der Link unterwegs zerschnitten worden.",
    more: "Öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie ihn ganz, von https bis zum letzten Zeichen.",
  },
  notUnderstood: {
    title: "Das kam nicht ganz bei uns an",
    status: "Nicht verstanden",
    lead: "Es wurde nichts geändert. Öffnen Sie den Link noch einmal aus der E-Mail und drücken Sie einen seiner Knöpfe.",
  },
  away: {
    title: "Gleich wieder da",
    status: "Nicht erreichbar",
    lead: "Wir erreichen unsere Daten gerade nicht, deshalb wurde nichts geändert.",
    more: "Versuchen Sie es in einer Minute noch einmal. Ihr Link gilt weiter, und zweimal zu drücken schadet nicht.",
  },
  failed: (requestId) => ({
    title: "Ein Fehler auf unserer Seite",
    status: "Fehlgeschlagen",
    lead: "Diese Seite ist an einem Fehler in unserem Programm gescheitert; er ist notiert.",
    more: html`Ihr Link gilt weiter: Versuchen Sie es in einigen Minuten noch einmal. Wenn Sie den Fehler melden, nennen Sie diese Nummer: ${requestId}`,
  }),
};
