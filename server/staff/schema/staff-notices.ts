/** When and with what somebody did something. */
export type NoticeWhere = {
  at: Date;
  device: string /** Masked; "" when it is not known. */;
  network: string;
};

/** A newsletter's last 7 days. */
export type NewsletterWeek = {
  id: string;
  name: string;
  /** Active people, now. */
  active: number;
  joined: number;
  confirmed: number;
  left: number;
  /** Mails that did not arrive, and that somebody should look at. */
  mails: number;
};

/** What staff members are mailed: about their own sign-in, and the weekly digest. */
export type Notice =
  | ({ kind: "failures"; tries: number } & NoticeWhere)
  | ({ kind: "new_device" } & NoticeWhere)
  | { kind: "password_changed"; by: "you" | "operator"; at: Date }
  | { kind: "reset"; url: string; minutes: number }
  | { kind: "confirm_email"; url: string; minutes: number }
  | { kind: "email_changed"; to: string }
  /** An endpoint of webhooks was switched off. host: its machine. failure: what the last attempt met. */
  | { kind: "webhook_off"; newsletterId: string; newsletter: string; host: string; failure: string }
  | { kind: "newsletter_deleted"; newsletterId: string; newsletter: string; removeAt: Date }
  | { kind: "digest"; newsletters: NewsletterWeek[] };
