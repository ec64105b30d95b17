/** When and with what somebody did something. */
export type NoticeWhere = {
  at: Date;
  device: string /** Masked; "" when it is not known. */;
  network: string;
};

/** What staff members are mailed about their own sign-in. */
export type Notice =
  | ({ kind: "failures"; tries: number } & NoticeWhere)
  | ({ kind: "new_device" } & NoticeWhere)
  | { kind: "password_changed"; by: "you" | "operator"; at: Date }
  | { kind: "reset"; url: string; minutes: number }
  | { kind: "confirm_email"; url: string; minutes: number }
  | { kind: "email_changed"; to: string };
