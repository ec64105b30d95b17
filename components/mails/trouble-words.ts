import type { Outputs } from "../trpc";

export type Trouble = Outputs["mails"]["trouble"][number];

const number = (mails: number) => mails.toLocaleString("en");
const mailsOf = (mails: number) => (mails === 1 ? "1 mail" : `${number(mails)} mails`);

/** What to do about mails that Resend rejected, by its name for the reason. */
const afterRejection: Record<string, string> = {
  invalid_from_address:
    "Resend does not take mail from this sender. Verify its domain at Resend, or write another sender in Settings; then send again.",
  validation_error:
    "Resend takes no mail to these addresses as they are written. Open one to read why, correct the address, and it is asked anew.",
  provider_failed:
    "Resend had taken them and then could not send them. Read its reason, fix it at Resend, and send again.",
};

/** What has happened in a few words, and what to do about it. */
export function wordTrouble({ state, code, mails, message }: Trouble): { what: string; advice: string } {
  switch (state) {
    case "failed":
      return {
        what: `${mailsOf(mails)} failed`,
        advice: afterRejection[code ?? ""] ?? message ?? "Open one to read why, fix it, and send again.",
      };
    case "uncertain":
      return {
        what: `${mailsOf(mails)} may not have arrived`,
        advice:
          "Resend never said clearly whether it took them, so nothing more is tried by itself. Send again if it is no harm that some arrive twice.",
      };
    case "deferred":
      return { what: `${mailsOf(mails)} deferred`, advice: message ?? "They are sent later, by themselves." };
    case "bounced":
      return {
        what: mails === 1 ? "1 address takes no mail" : `${number(mails)} addresses take no mail`,
        advice: "A mail server rejected them. Correct the address at the person, and they are asked anew.",
      };
    case "sending":
      return { what: `${mailsOf(mails)} delayed`, advice: message ?? "They leave by themselves." };
  }
}
