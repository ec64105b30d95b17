import type { Verb } from "../cli/command";
import { wholeNumber } from "../cli/options";
import { OperatorError } from "../kernel/errors";
import { pauseMails, resumeMails } from "../mail/pause";
import { findSendPause } from "../mail/shared-queries";
import { listAllMails } from "./mails";

export const mailVerbs: Record<string, Verb> = {
  list: {
    does: "lists the newest emails with their state, and the links of emails that were not sent",
    example: "--limit 50",
    options: [["--limit <emails>", "the limit, up to 1000; default 20"]],
    async run(ctx, options) {
      const mails = await listAllMails(ctx, { limit: wholeNumber(options, "--limit", 1000) ?? 20 });
      const lines = mails.flatMap((mail) => [
        `${mail.created_at.toISOString()}  ${mail.state.padEnd(9)}  ${mail.to}  ${mail.reason ?? ""}`.trimEnd(),
        ...(mail.link ? [`    ${mail.link}`] : []),
      ]);
      const pause = await findSendPause(ctx.db);
      if (pause)
        lines.push(
          `Sending has been paused since ${pause.at.toISOString()}. Run \`mails resume\` to resume it.`,
        );
      return { json: { mails, pause }, lines: lines.length > 0 ? lines : ["No emails yet."] };
    },
  },
  pause: {
    does: "pauses sending in all processes; new emails wait",
    example: "",
    async run(ctx) {
      await pauseMails(ctx);
      return {
        json: { pause: await findSendPause(ctx.db) },
        lines: [
          "Sending is paused. Emails that are being sent now are finished. Run `mails resume` to resume sending.",
        ],
      };
    },
  },
  resume: {
    does: "resumes sending after a pause or a restore",
    example: "--older cancel",
    options: [
      [
        "--older <what>",
        "after a restore: send or cancel emails that were queued when the backup was made and may have been sent since",
      ],
    ],
    async run(ctx, { older }) {
      if (older !== undefined && older !== "send" && older !== "cancel")
        throw new OperatorError("--older must be send or cancel. Nothing was changed.");
      const { cancelled } = await resumeMails(ctx, { older });
      return {
        json: { mails: { resumed: true, cancelled } },
        lines: [
          `Sending resumed.${cancelled > 0 ? ` ${cancelled} emails of the backup are cancelled.` : ""}`,
        ],
      };
    },
  },
};
