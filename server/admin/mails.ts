import { type RetryableState, retryableStates } from "../contract/mail-states";
import { OperatorError } from "../operator-error";
import { findMailPause, pauseMails, resumeMails } from "../services/mail-pause";
import { retryMailsOfReason } from "../services/mail-retries";
import { listAllMails, listMailIssues } from "../services/mails";
import { getNewsletter } from "../services/newsletters";
import { newsletterOption, type Verb } from "./command";
import { text, wholeNumber } from "./options";

export const mailVerbs: Record<string, Verb> = {
  list: {
    does: "lists the newest mails, their state and, of those that were only logged, their links",
    example: "--limit 50",
    options: [["--limit <mails>", "the most, up to 1000; 20 without"]],
    async run(ctx, options) {
      const mails = await listAllMails(ctx, { limit: wholeNumber(String(options.limit ?? 20), 1000) });
      const lines = mails.flatMap((mail) => [
        `${mail.created_at.toISOString()}  ${mail.state.padEnd(9)}  ${mail.to}  ${mail.reason ?? ""}`.trimEnd(),
        ...(mail.link ? [`    ${mail.link}`] : []),
      ]);
      const pause = await findMailPause(ctx);
      if (pause)
        lines.push(`Mails are paused since ${pause.at.toISOString()}; mails resume lets them leave.`);
      return { json: { mails, pause }, lines: lines.length > 0 ? lines : ["There are no mails yet."] };
    },
  },
  retry: {
    does: "sends new mails in place of a newsletter's failed or uncertain ones",
    example: "--newsletter 019d… --state failed",
    options: [newsletterOption, ["--state <state>", `${retryableStates.join(" or ")}; failed without`]],
    async run(ctx, options) {
      const newsletter = await getNewsletter(ctx.db, text(options, "newsletter"));
      const state = (options.state ?? "failed") as RetryableState;
      if (!retryableStates.includes(state))
        throw new OperatorError(`--state must be ${retryableStates.join(" or ")}. Nothing was sent.`);
      const sum = { sent: 0, closed: 0 };
      const issues = await listMailIssues(ctx, { newsletterId: newsletter.id });
      for (const code of new Set(
        issues.filter((issue) => issue.state === state).map((issue) => issue.code),
      )) {
        const done = await retryMailsOfReason(ctx, { newsletter, state, code });
        sum.sent += done.sent;
        sum.closed += done.closed;
      }
      return {
        json: { mails: sum },
        lines: [
          `${sum.sent} are sent again; ${sum.closed} are closed, whose people are not to be asked any more.`,
        ],
      };
    },
  },
  pause: {
    does: "lets no mail leave, in all processes; what is asked for meanwhile waits",
    example: "",
    async run(ctx) {
      await pauseMails(ctx);
      return {
        json: { pause: await findMailPause(ctx) },
        lines: [
          "No mail leaves any more, but those that are being handed over now. mails resume lets them leave.",
        ],
      };
    },
  },
  resume: {
    does: "lets mails leave again, after a pause or a restore",
    example: "--older cancel",
    options: [
      [
        "--older <what>",
        "after a restore: send or cancel what was waiting when the backup was made, and may have left since",
      ],
    ],
    async run(ctx, { older }) {
      if (older !== undefined && older !== "send" && older !== "cancel")
        throw new OperatorError("--older must be send or cancel. Nothing was changed.");
      const { cancelled } = await resumeMails(ctx, { older });
      return {
        json: { mails: { resumed: true, cancelled } },
        lines: [`Mails leave again.${cancelled > 0 ? ` ${cancelled} of the backup are cancelled.` : ""}`],
      };
    },
  },
};
