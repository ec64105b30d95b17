/** The time, device and network of an action. */
export type NoticeWhere = {
  at: Date;
  device: string;
  /** Masked IP address; "" when unknown. */
  network: string;
};

/** A newsletter's figures for the last 7 days. */
export type NewsletterWeek = {
  id: string;
  name: string;
  /** The number of active subscribers now. */
  active: number;
  joined: number;
  confirmed: number;
  left: number;
  /** The number of undelivered emails that need attention. */
  mails: number;
};

/** An email to a staff member: a notice about their sign-in or a newsletter, or the weekly digest. */
export type Notice =
  | ({ kind: "failures"; tries: number } & NoticeWhere)
  | ({ kind: "new_device" } & NoticeWhere)
  | { kind: "password_changed"; by: "you" | "operator"; at: Date }
  | { kind: "reset"; url: string; minutes: number }
  | { kind: "confirm_email"; url: string; minutes: number }
  | { kind: "email_changed"; to: string }
  /** A webhook endpoint was switched off. `host` is the endpoint's host. `failure` is the error of the last attempt. */
  | { kind: "webhook_off"; newsletterId: string; newsletter: string; host: string; failure: string }
  | { kind: "newsletter_deleted"; newsletterId: string; newsletter: string; removeAt: Date }
  | { kind: "digest"; newsletters: NewsletterWeek[] };
