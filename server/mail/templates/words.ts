/** What a confirmation says, in one language. `name` is the newsletter's, fit for one line. */
export type ConfirmationWords = {
  subject(name: string): string;
  why(name: string): string;
  button: string;
  orLink: string;
  notYou: string;
  expires: string;
};

const en: ConfirmationWords = {
  subject: (name) => `Confirm your subscription to ${name}`,
  why: (name) => `This address was given to subscribe to ${name}. Please confirm that you want it.`,
  button: "Confirm subscription",
  orLink: "Or open this link:",
  notYou:
    "If it wasn't you, you need do nothing: without a confirmation you won't be subscribed. To make sure that this newsletter never writes to you again, open the same link and press “This wasn't me”.",
  expires: "The link works for 7 days.",
};

const de: ConfirmationWords = {
  subject: (name) => `Bitte bestätigen: ${name}`,
  why: (name) => `Mit dieser Adresse wurde „${name}“ abonniert. Bitte bestätigen Sie, dass Sie das möchten.`,
  button: "Abonnement bestätigen",
  orLink: "Oder öffnen Sie diesen Link:",
  notYou:
    "Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne Bestätigung kommt kein Abonnement zustande. Damit Ihnen dieser Newsletter nie wieder schreibt, öffnen Sie denselben Link und sagen Sie dort, dass Sie es nicht waren.",
  expires: "Der Link gilt 7 Tage.",
};

const fr: ConfirmationWords = {
  subject: (name) => `Confirmez votre abonnement à ${name}`,
  why: (name) =>
    `Cette adresse a été donnée pour s'abonner à ${name}. Merci de confirmer que vous le souhaitez.`,
  button: "Confirmer l'abonnement",
  orLink: "Ou ouvrez ce lien :",
  notYou:
    "Si ce n'était pas vous, il n'y a rien à faire : sans confirmation, vous ne serez pas abonné. Pour que cette lettre ne vous écrive plus jamais, ouvrez le même lien et indiquez que ce n'était pas vous.",
  expires: "Le lien est valable 7 jours.",
};

const es: ConfirmationWords = {
  subject: (name) => `Confirma tu suscripción a ${name}`,
  why: (name) => `Se dio esta dirección para suscribirse a ${name}. Por favor, confirma que lo deseas.`,
  button: "Confirmar la suscripción",
  orLink: "O abre este enlace:",
  notYou:
    "Si no fuiste tú, no tienes que hacer nada: sin confirmación no habrá suscripción. Para que este boletín no vuelva a escribirte, abre el mismo enlace e indica que no fuiste tú.",
  expires: "El enlace vale 7 días.",
};

const languages: Record<string, ConfirmationWords> = { en, de, fr, es };

/** The words of a language tag such as `de` or `de-AT`; English for one we don't speak. */
export function wordsOf(language: string): { tag: string; words: ConfirmationWords } {
  const tag = language.toLowerCase().split(/[-_]/, 1)[0] ?? "";
  const words = Object.hasOwn(languages, tag) ? languages[tag] : undefined;
  return words ? { tag, words } : { tag: "en", words: en };
}
