import { confirmationLinkDays, preferencesLinkHours } from "../kernel/durations";
import type { Language } from "../kernel/languages";
import type { PersonMailKind } from "./schema/mail-states";

/** The texts of a mail to a person. `{newsletter}` is replaced by the newsletter's name. */
export type PersonMailWords = {
  subject: string;
  intro: string;
  /** Below the rule. */
  aside: string;
} & ({ button: string; expires: string } | { unsubscribe: string });

/** The texts that mails share. `{subject}` is replaced by the first mail's subject. */
export const sharedWords: Record<Language, { orLink: string; reminder: string }> = {
  en: { orLink: "Or open this link:", reminder: "Reminder: {subject}" },
  de: { orLink: "Oder öffnen Sie diesen Link:", reminder: "Erinnerung: {subject}" },
  fr: { orLink: "Ou ouvrez ce lien :", reminder: "Rappel : {subject}" },
  es: { orLink: "O abre este enlace:", reminder: "Recordatorio: {subject}" },
};

const confirmation: Record<Language, PersonMailWords> = {
  en: {
    subject: "Confirm your subscription to {newsletter}",
    intro: "This address was entered to subscribe to {newsletter}. Please confirm your subscription.",
    button: "Confirm subscription",
    aside:
      "If it wasn't you, ignore this email: you won't be subscribed. To block further emails of this newsletter, open the link and select “This wasn't me”.",
    expires: `The link works for ${confirmationLinkDays} days.`,
  },
  de: {
    subject: "Bitte bestätigen: {newsletter}",
    intro: "Mit dieser Adresse wurde „{newsletter}“ abonniert. Bitte bestätigen Sie, dass Sie das möchten.",
    button: "Abonnement bestätigen",
    aside:
      "Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne Bestätigung kommt kein Abonnement zustande. Damit Ihnen dieser Newsletter nie wieder schreibt, öffnen Sie denselben Link und sagen Sie dort, dass Sie es nicht waren.",
    expires: `Der Link gilt ${confirmationLinkDays} Tage.`,
  },
  fr: {
    subject: "Confirmez votre abonnement à {newsletter}",
    intro:
      "Cette adresse a été donnée pour s'abonner à {newsletter}. Merci de confirmer que vous le souhaitez.",
    button: "Confirmer l'abonnement",
    aside:
      "Si ce n'était pas vous, il n'y a rien à faire : sans confirmation, vous ne serez pas abonné. Pour que cette lettre ne vous écrive plus jamais, ouvrez le même lien et indiquez que ce n'était pas vous.",
    expires: `Le lien est valable ${confirmationLinkDays} jours.`,
  },
  es: {
    subject: "Confirma tu suscripción a {newsletter}",
    intro: "Se dio esta dirección para suscribirse a {newsletter}. Por favor, confirma que lo deseas.",
    button: "Confirmar la suscripción",
    aside:
      "Si no fuiste tú, no tienes que hacer nada: sin confirmación no habrá suscripción. Para que este boletín no vuelva a escribirte, abre el mismo enlace e indica que no fuiste tú.",
    expires: `El enlace vale ${confirmationLinkDays} días.`,
  },
};

const welcome: Record<Language, PersonMailWords> = {
  en: {
    subject: "Welcome to {newsletter}",
    intro: "Thank you for confirming. You will receive {newsletter} at this address.",
    aside: "You received this email because you confirmed your subscription to {newsletter}.",
    unsubscribe: "Unsubscribe",
  },
  de: {
    subject: "Willkommen bei {newsletter}",
    intro: "Danke für Ihre Bestätigung. Ab jetzt kommt „{newsletter}“ an diese Adresse.",
    aside: "Sie erhalten diese Mail, weil Sie Ihr Abonnement von „{newsletter}“ bestätigt haben.",
    unsubscribe: "Abmelden",
  },
  fr: {
    subject: "Bienvenue chez {newsletter}",
    intro: "Merci de votre confirmation. Désormais, {newsletter} arrive à cette adresse.",
    aside: "Vous recevez cet e-mail parce que vous avez confirmé votre abonnement à {newsletter}.",
    unsubscribe: "Se désabonner",
  },
  es: {
    subject: "Te damos la bienvenida a {newsletter}",
    intro: "Gracias por confirmar. A partir de ahora recibirás {newsletter} en esta dirección.",
    aside: "Recibes este correo porque confirmaste tu suscripción a {newsletter}.",
    unsubscribe: "Darse de baja",
  },
};

const preferences: Record<Language, PersonMailWords> = {
  en: {
    subject: "Your details at {newsletter}",
    intro:
      "You requested a link to your details at {newsletter}. There you can view, change, download and erase your data.",
    button: "Open my details",
    expires: `The link works for ${preferencesLinkHours} hours. Anyone with the link can do the same, so don't share it.`,
    aside: "If it wasn't you, ignore this email: no one can see or change your details without this link.",
  },
  de: {
    subject: "Ihre Angaben bei {newsletter}",
    intro:
      "Sie haben um den Link zu Ihren Angaben bei „{newsletter}“ gebeten. Dort können Sie sie ansehen, ändern, herunterladen und löschen.",
    button: "Meine Angaben öffnen",
    expires: `Der Link gilt ${preferencesLinkHours} Stunden. Wer ihn hat, kann dasselbe; geben Sie ihn niemandem.`,
    aside:
      "Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne diesen Link sieht und ändert niemand Ihre Angaben.",
  },
  fr: {
    subject: "Vos informations chez {newsletter}",
    intro:
      "Vous avez demandé le lien vers vos informations chez {newsletter}. Vous pouvez y consulter, modifier, télécharger et effacer vos informations.",
    button: "Ouvrir mes informations",
    expires: `Le lien est valable ${preferencesLinkHours} heures. Qui l'a peut en faire autant : ne le donnez à personne.`,
    aside:
      "Si ce n'était pas vous, il n'y a rien à faire : sans ce lien, personne ne voit ni ne modifie vos informations.",
  },
  es: {
    subject: "Tus datos en {newsletter}",
    intro:
      "Pediste el enlace a tus datos en {newsletter}. Allí puedes verlos, cambiarlos, descargarlos y borrarlos.",
    button: "Abrir mis datos",
    expires: `El enlace vale ${preferencesLinkHours} horas. Quien lo tiene puede hacer lo mismo: no se lo des a nadie.`,
    aside: "Si no fuiste tú, no tienes que hacer nada: sin este enlace nadie ve ni cambia tus datos.",
  },
};

const newAddress: Record<Language, PersonMailWords> = {
  en: {
    subject: "Use this address for {newsletter}?",
    intro: "A reader of {newsletter} entered this address as their new one. Please confirm that it is yours.",
    button: "Use this address",
    expires: `The link works for ${preferencesLinkHours} hours.`,
    aside: "If it wasn't you, ignore this email: nothing is sent to this address without your confirmation.",
  },
  de: {
    subject: "Diese Adresse für {newsletter} verwenden?",
    intro:
      "Jemand, der „{newsletter}“ liest, hat diese Adresse als neue eingegeben. Bitte bestätigen Sie, dass es Ihre ist.",
    button: "Diese Adresse verwenden",
    expires: `Der Link gilt ${preferencesLinkHours} Stunden.`,
    aside:
      "Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne Ihre Bestätigung geht nichts an diese Adresse.",
  },
  fr: {
    subject: "Utiliser cette adresse pour {newsletter} ?",
    intro:
      "Une personne qui lit {newsletter} a indiqué cette adresse comme étant sa nouvelle. Merci de confirmer qu'elle est à vous.",
    button: "Utiliser cette adresse",
    expires: `Le lien est valable ${preferencesLinkHours} heures.`,
    aside:
      "Si ce n'était pas vous, il n'y a rien à faire : sans votre confirmation, rien n'est envoyé à cette adresse.",
  },
  es: {
    subject: "¿Usar esta dirección para {newsletter}?",
    intro:
      "Alguien que lee {newsletter} indicó esta dirección como su nueva. Por favor, confirma que es tuya.",
    button: "Usar esta dirección",
    expires: `El enlace vale ${preferencesLinkHours} horas.`,
    aside:
      "Si no fuiste tú, no tienes que hacer nada: sin tu confirmación no se envía nada a esta dirección.",
  },
};

export const personMailWords: Record<PersonMailKind, Record<Language, PersonMailWords>> = {
  confirmation,
  welcome,
  preferences,
  new_address: newAddress,
};
