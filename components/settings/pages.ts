/** A page of the settings. */
export type SettingsPage = {
  /** After the newsletter's own address. */
  path: string;
  label: string;
  /** Whose settings they are; a line divides the groups. */
  group: "newsletter" | "account" | "you";
  /** Above its content: what it is about. A page that stands elsewhere has its own. */
  text?: string;
  /** It takes all the room there is; the others are columns. */
  wide?: true;
  /** What else ⌘K finds it by. */
  words?: string;
};

/** The pages of the settings, in the order of their navigation. */
export const settingsPages: SettingsPage[] = [
  {
    path: "/settings",
    label: "Newsletter",
    group: "newsletter",
    text: "How the newsletter appears in emails and on public pages.",
    words: "name sender replies language time zone archive delete",
  },
  { path: "/mails/confirmation", label: "Confirmation email", group: "newsletter", words: "words subject" },
  { path: "/mails/welcome", label: "Welcome email", group: "newsletter", words: "words subject" },
  {
    path: "/settings/pending",
    label: "Pending people",
    group: "newsletter",
    text: "Reminders for people who have not confirmed, and when they are removed.",
    words: "reminder remove",
  },
  {
    path: "/settings/fields",
    label: "Fields",
    group: "newsletter",
    text: "Custom data you store about subscribers.",
  },
  {
    path: "/settings/sign-up",
    label: "Sign-up page",
    group: "newsletter",
    text: "Where people sign up on their own. Each of them confirms by email.",
    wide: true,
    words: "form for another site link",
  },
  {
    path: "/settings/sending",
    label: "Sending",
    group: "account",
    text: "The email provider and the sender address.",
    words: "email provider resend api key sender domain",
  },
  {
    path: "/settings/staff",
    label: "Staff",
    group: "account",
    text: "Owners manage everything. Editors manage people, imports and emails. Viewers have read-only access.",
    words: "roles invitations",
  },
  {
    path: "/settings/log",
    label: "Log",
    group: "account",
    text: "A record of account activity that can’t be changed here.",
    words: "audit log",
  },
  {
    path: "/settings/data",
    label: "Data",
    group: "account",
    text: "Export people and the audit log.",
    words: "export download backup",
  },
  {
    path: "/settings/you",
    label: "You",
    group: "you",
    text: "How you sign in, and which emails you receive.",
    words: "security password second factor passkey sessions name email digest",
  },
];

/** Where each section of the one long page is that these pages were once. */
const pagesOfSections: Record<string, string> = {
  pending: "/settings/pending",
  fields: "/settings/fields",
  "sign-up": "/settings/sign-up",
  staff: "/settings/staff",
  you: "/settings/you",
  log: "/settings/log",
};

/** @param hash of an old address, such as "#staff" @returns the path of the page, or null where there is none */
export const pageOfSection = (hash: string): string | null => pagesOfSections[hash.slice(1)] ?? null;
