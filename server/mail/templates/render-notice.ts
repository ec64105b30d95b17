import type { NewsletterWeek, Notice, NoticeWhere } from "../../staff/schema/staff-notices";
import type { LetterAction, LetterProps } from "./letter";
import { type RenderedMail, renderLetter } from "./render-letter";

type Words = Pick<LetterProps, "subject" | "paragraphs" | "aside"> & Omit<LetterAction, "orLink">;

const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const timeOf = (at: Date) => `on ${time.format(at)} UTC`;
const whereOf = ({ at, device, network }: NoticeWhere) =>
  `${timeOf(at)}, with ${device.replace(/^A /, "a ")}${network ? `, from the network ${network}` : ""}`;

const number = new Intl.NumberFormat("en");
const sumOf = (weeks: NewsletterWeek[], what: "joined" | "left") =>
  number.format(weeks.reduce((sum, week) => sum + week[what], 0));

function sentenceOf({ name, active, joined, confirmed, left, mails }: NewsletterWeek): string {
  const [people, came, agreed, gone, lost] = [active, joined, confirmed, left, mails].map((n) =>
    number.format(n),
  );
  const look = mails === 0 ? "" : ` ${lost} ${mails === 1 ? "email" : "emails"} did not arrive: see Emails.`;
  return `${name} has ${people} active ${active === 1 ? "person" : "people"}. In the last 7 days ${came} joined, ${agreed} confirmed and ${gone} unsubscribed.${look}`;
}

/** In the order of the type; `home` is Rollcall's URL. */
const words: { [K in Notice["kind"]]: (notice: Extract<Notice, { kind: K }>, home: string) => Words } = {
  failures: (notice, home) => ({
    subject: "Failed sign-ins to your Rollcall account",
    paragraphs: [
      `Someone tried ${notice.tries} times to sign in as you with a wrong password, last ${whereOf(notice)}.`,
      "All attempts failed. Each wrong password delays the next attempt, except in browsers that you have used before.",
    ],
    url: `${home}/forgot`,
    button: "Choose another password",
    expires: "You only need a new password if someone else may know yours.",
    aside: "If it was you, ignore this email. You receive at most one such email an hour.",
  }),
  new_device: (notice, home) => ({
    subject: "A sign-in to Rollcall on a new device",
    paragraphs: [
      `You signed in to Rollcall ${whereOf(notice)}.`,
      "This browser is new to your account, or its cookies were deleted.",
    ],
    url: `${home}/forgot`,
    button: "That wasn't me",
    expires: "The link lets you set a new password, which ends all sessions.",
    aside: "If it was you, ignore this email.",
  }),
  password_changed: ({ by, at }, home) => ({
    subject: "Your Rollcall password was changed",
    paragraphs: [
      `${by === "you" ? "The password of your Rollcall account was changed" : "An operator of this Rollcall changed the password of your account"} ${timeOf(at)}. Other sessions are signed out.`,
    ],
    url: `${home}/forgot`,
    button: "That wasn't me",
    expires: "The link lets you set a new password. Tell an owner of your account, too.",
    aside: "If it was you, ignore this email.",
  }),
  reset: ({ url, minutes }) => ({
    subject: "Choose a new Rollcall password",
    paragraphs: [
      "Someone, probably you, asked for a new password for your Rollcall account.",
      "The new password signs you out everywhere.",
    ],
    url,
    button: "Choose a new password",
    expires: `The link works once, for ${minutes} minutes. Anyone with the link can set your password, so don't share it.`,
    aside: "If it wasn't you, ignore this email. Your password stays the same.",
  }),
  confirm_email: ({ url, minutes }) => ({
    subject: "Confirm your new address for Rollcall",
    paragraphs: [
      "This address was entered as your new sign-in address for Rollcall. Confirm that it is yours.",
    ],
    url,
    button: "Confirm this address",
    expires: `The link works once, for ${minutes} minutes. Until you confirm, sign in with the old address.`,
    aside: "If you don't know what this is about, ignore this email. The address is not used.",
  }),
  email_changed: ({ to }, home) => ({
    subject: "Your Rollcall sign-in address was changed",
    paragraphs: [`The sign-in address of your Rollcall account is now ${to}. This address no longer works.`],
    url: `${home}/sign-in`,
    button: "Sign in to Rollcall",
    expires: "The password is the same as before.",
    aside: "If this wasn't you, tell an owner of your account immediately.",
  }),
  webhook_off: ({ newsletterId, newsletter, host, failure }, home) => ({
    subject: `Rollcall turned off the webhook to ${host}`,
    paragraphs: [
      `${newsletter} has a webhook to ${host}. It was turned off: ${failure}`,
      "Events are kept for 30 days. Fix the receiving server and turn the webhook on: delivery continues where it stopped.",
    ],
    url: `${home}/n/${newsletterId}/api/webhooks`,
    button: "Open the webhooks",
    expires: "The log there shows all requests and responses.",
    aside: "You received this email as an owner of the account.",
  }),
  newsletter_deleted: ({ newsletterId, newsletter, removeAt }, home) => ({
    subject: `${newsletter} was deleted`,
    paragraphs: [
      `The newsletter ${newsletter} was deleted. It is read-only and sends no email.`,
      `Its people and all other data are deleted permanently ${timeOf(removeAt)}. Until then an owner can restore it.`,
    ],
    url: `${home}/n/${newsletterId}/settings`,
    button: "View or restore it",
    expires: "After that, it can only be restored from a backup.",
    aside:
      "You received this email as an owner of the account. The audit log in Settings shows who deleted it.",
  }),
  digest: ({ newsletters }, home) => ({
    subject: `${newsletters.length === 1 ? newsletters[0]?.name : "Your newsletters"}: ${sumOf(newsletters, "joined")} joined, ${sumOf(newsletters, "left")} left`,
    paragraphs: newsletters.map(sentenceOf),
    url: newsletters.length === 1 ? `${home}/n/${newsletters[0]?.id}` : home,
    button: "Open Rollcall",
    expires: "The overview also shows earlier weeks.",
    aside: "You turned on this email. You can turn it off under Settings, You.",
  }),
};

/** A mail to a staff member. In English, as the dashboard is. */
export function renderNotice<K extends Notice["kind"]>(
  notice: Extract<Notice, { kind: K }>,
  home: string,
): Promise<RenderedMail> {
  const { url, button, expires, ...letter } = words[notice.kind as K](notice, home);
  return renderLetter({
    tag: "en",
    heading: "Rollcall",
    action: { url: new URL(url).href, button, orLink: "Or open this link:", expires },
    ...letter,
  });
}
