import { invitationDays } from "../../kernel/durations";
import type { Role } from "../../staff/schema/roles";
import { headerLine } from "../sender";
import { type RenderedMail, renderLetter } from "./render-letter";

export type InvitationInput = {
  accountName: string;
  role: Role;
  /** The staff member who invites; null when unknown. */
  by: { name: string; email: string } | null;
  url: string;
};

const roles = {
  owner: "an owner with full access",
  editor: "an editor of people, imports and emails",
  viewer: "a viewer with read-only access",
};

/** The invitation to the staff. In English, as the dashboard is. */
export function renderInvitation({ accountName, role, by, url }: InvitationInput): Promise<RenderedMail> {
  const account = headerLine(accountName) || "Rollcall";
  const name = by && (headerLine(by.name) || by.email);
  const who = by && name !== by.email ? `${name} (${headerLine(by.email, 254)})` : name;
  const invites = who
    ? `${who} invites you to the staff of ${account}, as ${roles[role]}.`
    : `You are invited to the staff of ${account}, as ${roles[role]}.`;
  return renderLetter({
    tag: "en",
    subject: name ? `${name} invites you to ${account}` : `You are invited to ${account}`,
    heading: account,
    paragraphs: [invites, "Choose a name and a password to join."],
    action: {
      url: new URL(url).href,
      button: "Accept the invitation",
      orLink: "Or open this link:",
      expires: `The link works once, for ${invitationDays} days. Anyone with the link can join, so don't share it.`,
    },
    aside: `If you don't know ${account}, ignore this email. No account is created for you.`,
  });
}
