import { Button } from "@mantine/core";
import type { Outputs } from "../trpc";
import styles from "./acts.module.css";
import { people } from "./numbers";
import { Time } from "./time";

type Act = Outputs["account"]["acts"][number];

const number = (act: Act) => people(Number(act.detail?.people ?? 1));
const named = (act: Act) => (typeof act.detail?.name === "string" ? ` ${act.detail.name}` : "");

const paste = (act: Act) => `Paste #${act.detail?.number ?? "?"}`;

/** What was done, in the past tense, to follow a name. */
const words: Record<string, (act: Act) => string> = {
  "account.created": () => "made the account",
  "newsletter.created": (act) => `made the newsletter ${act.newsletter ?? ""}`,
  "newsletter.changed": (act) => `changed the settings of ${act.newsletter ?? "a newsletter"}`,
  "newsletter.confirmation_changed": (act) =>
    `changed the confirmation mail of ${act.newsletter ?? "a newsletter"}`,
  "mails.retried": (act) => {
    const mails = Number(act.detail?.mails ?? 0);
    return `sent ${mails === 1 ? "1 mail" : `${mails.toLocaleString("en")} mails`} again`;
  },
  "mail.test": () => "sent themselves a test mail",
  "api_key.created": (act) => `made the key${named(act)}`,
  "api_key.revoked": (act) => `revoked the key${named(act)}`,
  "api_key.rotated": (act) => `rotated the key${named(act)}`,
  "api_key.lockout_lifted": (act) => `lifted the lockout of the key${named(act)}`,
  "api_access.on": () => "switched the API on",
  "api_access.off": () => "switched the API off",
  "people.confirm": (act) => `sent confirmations to ${number(act)}`,
  "people.activate": (act) => `made ${number(act)} active`,
  "people.unsubscribe": (act) => `unsubscribed ${number(act)}`,
  "people.undone": (act) =>
    act.detail?.act === "confirm"
      ? `took confirmations to ${number(act)} back`
      : `put ${number(act)} back as before`,
  "import.done": (act) => `added ${number(act)} with ${paste(act)}`,
  "import.cancelled": (act) => `cancelled ${paste(act)}`,
  "import.undone": (act) => `took back ${number(act)} of ${paste(act)}`,
  "people.erase": (act) => `erased ${number(act)}`,
  "people.mail_allowed": () => "let an address be written to again that had bounced",
  "subscriber.denied": () => "said “this wasn't me” and was removed",
  "staff.signed_in": () => "signed in",
  "staff.invited": (act) => `invited ${act.detail?.email ?? "somebody"} as ${act.detail?.role ?? "staff"}`,
  "staff.invited_again": (act) => `sent ${act.detail?.email ?? "somebody"} their invitation again`,
  "staff.invitation_withdrawn": () => "withdrew an invitation",
  "staff.joined": () => "joined the staff",
  "staff.role": (act) => `made a staff member ${act.detail?.to ?? "something else"}`,
  "staff.removed": (act) => `removed ${act.detail?.email ?? "a staff member"} from the staff`,
};

const actors: Record<string, string> = {
  staff: "Somebody who is gone",
  key: "The API",
  operator: "The command line",
  link: "Somebody with a link",
};

type Props = {
  acts: Act[];
  withAddress?: boolean;
  /** Offered beside what can be taken back. */
  onUndo?(run: { id: string; newsletterId: string }): void;
};

/** Who did what, when and from where. */
export function Acts({ acts, withAddress = false, onUndo }: Props) {
  if (acts.length === 0) return <p className={styles.none}>Nothing has happened yet.</p>;
  return (
    <ul className={styles.acts}>
      {acts.map((act) => {
        const { id, undoIn } = act;
        return (
          <li key={id}>
            <span className={styles.what}>
              <b>{act.by.name ?? actors[act.by.kind] ?? act.by.kind}</b>{" "}
              {words[act.action]?.(act) ?? act.action}
            </span>
            {onUndo && undoIn && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => onUndo({ id, newsletterId: undoIn })}
              >
                Undo
              </Button>
            )}
            {withAddress && <span className={styles.from}>{act.address}</span>}
            <span className={styles.when}>
              <Time at={act.at} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
