import { type Html, html } from "./html";
import type { Sentences } from "./sentences";

const writeTo = (write: Html | null) => write && html` Écrivez à ${write}.`;

// \u00a0 is the space that French sets before ; : ? ! and inside « », where a line must not break.
export const french: Sentences = {
  lang: "fr",
  buttons: {
    confirm: "Confirmer l’abonnement",
    deny: "Ce n’était pas moi",
    unsubscribe: "Me désabonner",
    renew: "Envoyer un nouveau lien",
  },
  next: (host) => `Continuer vers ${host}`,
  ask: (email) => ({
    title: "Confirmez votre abonnement",
    status: "Pas encore confirmé",
    lead: html`Souhaitez-vous recevoir cette lettre à l’adresse <b>${email}</b>\u00a0?`,
    aside:
      "Vous n’avez rien demandé\u00a0? Dites-le\u00a0: votre adresse sera retirée de la liste, et cette lettre ne vous écrira plus.",
  }),
  confirmed: (email) => ({
    title: "Abonnement confirmé",
    status: "Confirmé",
    lead: html`C’est fait\u00a0: cette lettre arrivera à l’adresse <b>${email}</b>.`,
    more: "Il n’y a rien d’autre à faire\u00a0; vous pouvez fermer cette page.",
  }),
  already: ({ email, date }) => ({
    title: "Déjà confirmé",
    status: "Confirmé",
    lead: date
      ? html`Vous êtes déjà sur la liste\u00a0: l’adresse <b>${email}</b> a été confirmée le ${date}.`
      : html`Vous êtes déjà sur la liste, à l’adresse <b>${email}</b>.`,
    more: "Il n’y a rien d’autre à faire\u00a0; vous pouvez fermer cette page.",
    aside: "Était-ce quelqu’un d’autre, ou ne voulez-vous plus de cette lettre\u00a0?",
  }),
  deniedTooLate: ({ email, date }) => ({
    title: "Déjà confirmé",
    status: "Confirmé",
    lead: html`Rien n’a été modifié\u00a0: l’adresse <b>${email}</b> a été confirmée ${date ? `le ${date}` : "auparavant"}.`,
    more: "Si ce n’était pas vous, désabonnez-vous. L’effet est immédiat.",
  }),
  removed: () => ({
    title: "Adresse retirée",
    status: "Retirée",
    lead: "Merci. Votre adresse n’est plus sur la liste, et cette lettre ne vous écrira plus.",
    more: "Il n’y a rien d’autre à faire\u00a0; vous pouvez fermer cette page.",
  }),
  removedAlready: () => ({
    title: "Adresse retirée",
    status: "Retirée",
    lead: "C’est déjà fait\u00a0: votre adresse n’est plus sur la liste, et cette lettre ne vous écrira plus.",
    more: "Vous la vouliez finalement\u00a0? Demandez-la sur son propre site.",
  }),
  left: (email) => ({
    title: "Désabonnement effectué",
    status: "Désabonné",
    lead: html`Vous n’êtes plus sur la liste. Cette lettre n’arrivera plus à l’adresse <b>${email}</b>.`,
    more: "Il n’y a rien d’autre à faire\u00a0; vous pouvez fermer cette page.",
  }),
  leftEarlier: (email, write) => ({
    title: "Désabonnement effectué",
    status: "Désabonné",
    lead: html`L’adresse <b>${email}</b> a été désabonnée\u00a0; ce lien n’a donc plus d’effet.`,
    more: html`Rien n’a été modifié. Pour revenir, demandez un nouveau message de confirmation à l’équipe de la lettre.${writeTo(write)}`,
  }),
  suppressed: (email, write) => ({
    title: "Hors de la liste",
    status: "Hors de la liste",
    lead: html`Quelqu’un a répondu «\u00a0Ce n’était pas moi\u00a0» pour l’adresse <b>${email}</b>\u00a0: ce lien ne permet donc plus de la confirmer.`,
    more: html`Rien n’a été modifié, et rien ne sera envoyé. Si vous voulez cette lettre, dites-le à son équipe.${writeTo(write)}`,
  }),
  expired: (email) => ({
    title: "Ce lien a expiré",
    status: "Expiré",
    lead: html`Ce lien était trop ancien\u00a0: l’adresse <b>${email}</b> n’est pas encore confirmée.`,
    more: "Rien n’a été modifié. Un nouveau lien arrive par e-mail et reste valable sept jours.",
  }),
  renewed: (email) => ({
    title: "Un nouveau lien est en route",
    status: "Pas encore confirmé",
    lead: html`Un nouveau lien est en route vers <b>${email}</b>.`,
    more: "Cela peut prendre quelques minutes. Vous pouvez fermer cette page.",
  }),
  renewedAlready: (email) => ({
    title: "Ce lien a expiré",
    status: "Expiré",
    lead: html`Ce lien est trop ancien, mais un plus récent a été envoyé à <b>${email}</b>.`,
    more: "Utilisez le bouton du dernier e-mail\u00a0; il peut mettre quelques minutes à arriver.",
  }),
  outdated: () => ({
    title: "Ce lien a été remplacé",
    status: "Remplacé",
    lead: "Ce lien ne fonctionne plus\u00a0: l’adresse à laquelle il avait été envoyé a été changée.",
    more: "Rien n’a été modifié. Si vous attendez une confirmation, utilisez le dernier e-mail.",
  }),
  gone: () => ({
    title: "Hors de la liste",
    status: "Hors de la liste",
    lead: "Cette adresse n’est plus sur la liste\u00a0; il n’y a rien à confirmer.",
    more: "Rien n’a été modifié, et rien ne sera envoyé. Si vous voulez cette lettre, demandez-la sur son propre site.",
  }),
  example: {
    title: "Un message d’essai",
    status: "Essai",
    lead: "Ce lien vient d’un message d’essai\u00a0: il ne confirme personne, et rien n’a été modifié.",
    more: "Dans le vrai message, il ouvre la page où chacun confirme son abonnement.",
  },
  notFound: {
    title: "Ce lien ne fonctionne pas",
    status: "Introuvable",
    lead: "Rien n’a été modifié. Le lien a peut-être été coupé en chemin.",
    more: "Ouvrez-le de nouveau depuis l’e-mail, ou copiez-le en entier, de https jusqu’au dernier caractère.",
  },
  notUnderstood: {
    title: "Nous n’avons pas tout reçu",
    status: "Non compris",
    lead: "Rien n’a été modifié. Ouvrez de nouveau le lien de l’e-mail et appuyez sur l’un de ses boutons.",
  },
  away: {
    title: "De retour dans un instant",
    status: "Indisponible",
    lead: "Nous ne pouvons pas consulter nos données pour le moment\u00a0; rien n’a donc été modifié.",
    more: "Réessayez dans une minute. Votre lien reste valable, et appuyer deux fois sur un bouton est sans risque.",
  },
  failed: (requestId) => ({
    title: "Une erreur de notre côté",
    status: "Échec",
    lead: "Cette page a échoué à cause d’une erreur dans notre programme\u00a0; nous l’avons enregistrée.",
    more: html`Votre lien reste valable\u00a0: réessayez dans quelques minutes. Si vous signalez l’erreur, indiquez ce numéro\u00a0: ${requestId}`,
  }),
};
