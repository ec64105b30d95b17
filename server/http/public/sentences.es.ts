import { type Html, html } from "./html";
import type { Sentences } from "./sentences";

const writeTo = (write: Html | null) => write && html` Escribe a ${write}.`;

export const spanish: Sentences = {
  lang: "es",
  buttons: {
    confirm: "Confirmar la suscripción",
    deny: "No fui yo",
    unsubscribe: "Darme de baja",
    renew: "Enviar un enlace nuevo",
  },
  next: (host) => `Ir a ${host}`,
  ask: (email) => ({
    title: "Confirma tu suscripción",
    status: "Sin confirmar",
    lead: html`¿Quieres recibir este boletín en <b>${email}</b>?`,
    aside:
      "¿No lo pediste? Dínoslo: tu dirección se quitará de la lista y este boletín no volverá a escribirte.",
  }),
  confirmed: (email) => ({
    title: "Suscripción confirmada",
    status: "Confirmada",
    lead: html`Ya estás en la lista. Este boletín llegará a <b>${email}</b>.`,
    more: "No hay nada más que hacer; puedes cerrar esta página.",
  }),
  already: ({ email, date }) => ({
    title: "Ya estaba confirmada",
    status: "Confirmada",
    lead: html`Ya estás en la lista: <b>${email}</b>${date && html` se confirmó el ${date}`}.`,
    more: "No hay nada más que hacer; puedes cerrar esta página.",
    aside: "¿Fue otra persona, o ya no quieres el boletín?",
  }),
  deniedTooLate: ({ email, date }) => ({
    title: "Ya estaba confirmada",
    status: "Confirmada",
    lead: html`No se ha cambiado nada: <b>${email}</b> se confirmó ${date ? `el ${date}` : "anteriormente"}.`,
    more: "Si no fuiste tú, date de baja. Tiene efecto inmediato.",
  }),
  removed: () => ({
    title: "Dirección eliminada",
    status: "Eliminada",
    lead: "Gracias. Tu dirección ya no está en la lista y este boletín no volverá a escribirte.",
    more: "No hay nada más que hacer; puedes cerrar esta página.",
  }),
  removedAlready: () => ({
    title: "Dirección eliminada",
    status: "Eliminada",
    lead: "Esto ya se hizo: tu dirección no está en la lista y este boletín no volverá a escribirte.",
    more: "¿Lo querías después de todo? Pídelo en su propio sitio web.",
  }),
  left: (email) => ({
    title: "Suscripción cancelada",
    status: "De baja",
    lead: html`Ya no estás en la lista. Este boletín no llegará más a <b>${email}</b>.`,
    more: "No hay nada más que hacer; puedes cerrar esta página.",
  }),
  leftEarlier: (email, write) => ({
    title: "Suscripción cancelada",
    status: "De baja",
    lead: html`<b>${email}</b> está de baja, así que este enlace ya no tiene efecto.`,
    more: html`No se ha cambiado nada. Para volver, pide al boletín un nuevo correo de confirmación.${writeTo(write)}`,
  }),
  suppressed: (email, write) => ({
    title: "No está en la lista",
    status: "No está en la lista",
    lead: html`Desde <b>${email}</b> alguien respondió «No fui yo», así que no se puede confirmar con este enlace.`,
    more: html`No se ha cambiado nada y no se enviará nada. Si quieres el boletín, díselo.${writeTo(write)}`,
  }),
  expired: (email) => ({
    title: "Este enlace ha caducado",
    status: "Caducado",
    lead: html`Este enlace era demasiado antiguo, así que <b>${email}</b> todavía no está confirmada.`,
    more: "No se ha cambiado nada. Recibirás por correo un enlace nuevo, que vale siete días.",
  }),
  renewed: (email) => ({
    title: "Un enlace nuevo está en camino",
    status: "Sin confirmar",
    lead: html`Hay un enlace nuevo en camino a <b>${email}</b>.`,
    more: "Puede tardar unos minutos. Puedes cerrar esta página.",
  }),
  renewedAlready: (email) => ({
    title: "Este enlace ha caducado",
    status: "Caducado",
    lead: html`Este enlace es demasiado antiguo, pero ya se envió uno más nuevo a <b>${email}</b>.`,
    more: "Usa el botón del último correo; puede tardar unos minutos en llegar.",
  }),
  outdated: () => ({
    title: "Este enlace ha sido sustituido",
    status: "Sustituido",
    lead: "Este enlace ya no vale: el boletín ha cambiado la dirección a la que se envió.",
    more: "No se ha cambiado nada. Si esperas una confirmación, usa el último correo.",
  }),
  gone: () => ({
    title: "No está en la lista",
    status: "No está en la lista",
    lead: "Esta dirección ya no está en la lista, así que no hay nada que confirmar.",
    more: "No se ha cambiado nada y no se enviará nada. Si quieres el boletín, pídelo en su propio sitio web.",
  }),
  example: {
    title: "Un correo de prueba",
    status: "Prueba",
    lead: "Este enlace es de un correo de prueba: no confirma a nadie y no se ha cambiado nada.",
    more: "En el correo de verdad abre la página donde cada persona confirma su suscripción.",
  },
  notFound: {
    title: "Este enlace no funciona",
    status: "No encontrado",
    lead: "No se ha cambiado nada. Quizá el enlace se cortó por el camino.",
    more: "Ábrelo de nuevo desde el correo, o cópialo entero, desde https hasta el último carácter.",
  },
  notUnderstood: {
    title: "No nos llegó completo",
    status: "No entendido",
    lead: "No se ha cambiado nada. Abre de nuevo el enlace del correo y pulsa uno de sus botones.",
  },
  away: {
    title: "Volvemos enseguida",
    status: "No disponible",
    lead: "Ahora mismo no podemos consultar nuestros datos, así que no se ha cambiado nada.",
    more: "Inténtalo de nuevo en un minuto. Tu enlace sigue valiendo, y pulsar dos veces un botón no hace daño.",
  },
  failed: (requestId) => ({
    title: "Un fallo por nuestra parte",
    status: "Fallo",
    lead: "Esta página ha fallado por un error de nuestro programa, que ha quedado registrado.",
    more: html`Tu enlace sigue valiendo: inténtalo de nuevo en unos minutos. Si informas del fallo, da este número: ${requestId}`,
  }),
};
