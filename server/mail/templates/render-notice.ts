import type { NewsletterWeek, Notice, NoticeWhere } from "../../contract/staff-notices";
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
  const look = mails === 0 ? "" : ` ${lost} ${mails === 1 ? "mail" : "mails"} did not arrive: see Mails.`;
  return `${name} has ${people} active ${active === 1 ? "person" : "people"}. In the last 7 days ${came} joined, ${agreed} confirmed and ${gone} left.${look}`;
}

/** In the order of the type; `home` is where Rollcall answers. */
const words: { [K in Notice["kind"]]: (notice: Extract<Notice, { kind: K }>, home: string) => Words } = {
  failures: (notice, home) => ({
    subject: "Failed sign-ins to your Rollcall account",
    paragraphs: [
      `Someone tried ${notice.tries} times to sign in as you with a wrong password, last ${whereOf(notice)}.`,
      "They did not get in. Each wrong password makes the next try wait longer; browsers that you have signed in with before don’t wait.",
    ],
    url: `${home}/forgot`,
    button: "Choose another password",
    expires: "Another password is needed only if somebody else may know yours.",
    aside: "If it was you, you need do nothing. While it goes on, such a mail comes once an hour at most.",
  }),
  new_device: (notice, home) => ({
    subject: "A sign-in to Rollcall on a new device",
    paragraphs: [
      `You signed in to Rollcall ${whereOf(notice)}.`,
      "It is the first sign-in from that browser, or its cookies were deleted.",
    ],
    url: `${home}/forgot`,
    button: "That wasn't me",
    expires: "It leads to another password, which ends all sessions.",
    aside: "If it was you, you need do nothing.",
  }),
  password_changed: ({ by, at }, home) => ({
    subject: "Your Rollcall password was changed",
    paragraphs: [
      `${by === "you" ? "The password of your Rollcall account was changed" : "An operator of this Rollcall changed the password of your account"} ${timeOf(at)}. Other sessions are signed out.`,
    ],
    url: `${home}/forgot`,
    button: "That wasn't me",
    expires: "It leads to another password. Tell an owner of your account, too.",
    aside: "If it was you, you need do nothing.",
  }),
  reset: ({ url, minutes }) => ({
    subject: "Choose a new Rollcall password",
    paragraphs: [
      "Someone, probably you, asked for a new password for your Rollcall account.",
      "The new password signs you out everywhere.",
    ],
    url,
    button: "Choose a new password",
    expires: `The link works once, for ${minutes} minutes. Whoever has it can choose the password, so pass it on to nobody.`,
    aside: "If it wasn't you, you need do nothing: your password stays as it is.",
  }),
  confirm_email: ({ url, minutes }) => ({
    subject: "Confirm your new address for Rollcall",
    paragraphs: ["This address is to sign in to Rollcall from now on. Confirm that it is yours."],
    url,
    button: "Confirm this address",
    expires: `The link works once, for ${minutes} minutes. Until then the old address signs in.`,
    aside: "If you don't know what this is about, you need do nothing: the address is not used.",
  }),
  email_changed: ({ to }, home) => ({
    subject: "Your Rollcall account has another address",
    paragraphs: [`From now on ${to} signs in to your Rollcall account; this address does not any more.`],
    url: `${home}/sign-in`,
    button: "Sign in to Rollcall",
    expires: "The password is the same as before.",
    aside: "If this wasn't you, tell an owner of your account at once: somebody else acts as you.",
  }),
  webhook_off: ({ newsletterId, newsletter, host, failure }, home) => ({
    subject: `Rollcall tells ${host} nothing any more`,
    paragraphs: [
      `${newsletter} has a webhook to ${host}. It was switched off: ${failure}`,
      "Events are kept for 30 days. Fix the receiving server and turn the webhook on: delivery continues where it stopped.",
    ],
    url: `${home}/n/${newsletterId}/api/webhooks`,
    button: "Open the webhooks",
    expires: "The log there shows what was sent, and what came back.",
    aside: "You get this mail as an owner of the account.",
  }),
  newsletter_deleted: ({ newsletterId, newsletter, removeAt }, home) => ({
    subject: `${newsletter} was deleted`,
    paragraphs: [
      `The newsletter ${newsletter} was deleted. Nobody is added to it any more, and no mail leaves.`,
      `Its people and everything else that is kept of it are removed for good ${timeOf(removeAt)}. Until then an owner can bring it back.`,
    ],
    url: `${home}/n/${newsletterId}/settings`,
    button: "Look at it, or bring it back",
    expires: "Afterwards nobody can, except from a backup.",
    aside: "You get this mail as an owner of the account. The log in Settings says who deleted it.",
  }),
  digest: ({ newsletters }, home) => ({
    subject: `${newsletters.length === 1 ? newsletters[0]?.name : "Your newsletters"}: ${sumOf(newsletters, "joined")} joined, ${sumOf(newsletters, "left")} left`,
    paragraphs: newsletters.map(sentenceOf),
    url: newsletters.length === 1 ? `${home}/n/${newsletters[0]?.id}` : home,
    button: "Open Rollcall",
    expires: "The overview there has the weeks before, too.",
    aside: "You asked for this mail. Settings, You, is where it is switched off.",
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
