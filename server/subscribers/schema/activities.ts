import { z } from "zod";
import { leavingReasons } from "../../imports/list-parser/list-types";
import { timeMeta } from "../../kernel/api-time";
import { cursorSchema, writeCursor } from "../../kernel/cursor";
import { personMailKinds } from "../../mail/schema/mail-states";
import { limitField } from "./list-query";

export const activityTypes = [
  "created",
  "asked",
  "kept",
  "sent",
  "delayed",
  "delivered",
  "bounced",
  "complained",
  "failed",
  "uncertain",
  "cancelled",
  "expired",
  "signed_up",
  "confirmed",
  "welcomed",
  "link_asked",
  "address_asked",
  "updated",
  "status_changed",
  "unsubscribed",
  "restored",
  "copied",
] as const;
export type ActivityType = (typeof activityTypes)[number];

/** The actors. person: the subscriber, by a mailed link or a complaint. page: a sign-up page. */
export const actorKinds = ["api_key", "staff", "import", "operator", "person", "page"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** How the actor did it, if another action caused it. link: the link of a confirmation that was not mailed. */
export const activityMeans = ["link", "complaint", "bulk_action", "merge", "pause", "suppression"] as const;

const Changed = z.object({ from: z.string(), to: z.string() });

export const ActivityRecord = z
  .object({
    id: z.string().meta({
      description: "Unique among the subscriber's activities.",
      examples: ["01a1fab8-221d-73cc-bf6f-88bbf811ce3c"],
    }),
    type: z.enum(activityTypes).meta({
      description:
        "kept: a confirmation email was stored but not sent, because no email provider was configured. signed_up: an existing subscriber used the sign-up page and was asked to confirm. confirmed: the subscriber confirmed with the link in an email; only this is their consent. welcomed: the welcome email was requested after confirmation. link_asked: the subscriber requested a link to their preferences. address_asked: the subscriber entered a new address there, and a confirmation was requested for it. restored: a bulk action was undone. copied: an earlier version copied the subscriber to another newsletter of the account.",
      examples: ["confirmed"],
    }),
    at: z.string().meta(timeMeta("", "2026-06-11T17:04:31+00:00")),
    by: z
      .object({
        kind: z.enum(actorKinds),
        id: z.uuid().nullable(),
        name: z.string().nullable().meta({ description: "Null when it was deleted." }),
      })
      .nullable()
      .meta({
        description: "Null for events of an email.",
        examples: [{ kind: "person", id: null, name: null }],
      }),
    address: z
      .string()
      .nullable()
      .meta({
        description: "The IP address of the request, if known.",
        examples: ["203.0.113.7"],
      }),
    detail: z
      .object({
        status: z.string().optional().meta({ description: "For status_changed: the new status." }),
        changes: z
          .record(z.string(), Changed)
          .optional()
          .meta({ description: "Changed values by field: `email`, `name`, `fields.KEY`, `tags`." }),
        mail: z
          .object({
            id: z.uuid(),
            kind: z.enum(["reminder", ...personMailKinds]),
            to: z.string(),
            subject: z.string().nullable().meta({ description: "Null before the email is created." }),
            asked_at: z.string(),
          })
          .optional()
          .meta({ description: "The email of this activity, or the one whose link was used." }),
        through: z
          .object({ kind: z.enum(activityMeans), id: z.uuid().nullable() })
          .optional()
          .meta({
            description:
              "link: a confirmation link that staff copied, so its use is no proof of consent. merge: an earlier version merged two addresses of one subscriber; `id` is the one that was kept. pause: an earlier version had breaks; one started or ended.",
          }),
        consent: z.object({ source: z.string(), wording: z.string() }).optional().meta({
          description: "The consent that staff stated for the people of an import.",
        }),
        evidence: z
          .object({
            opted_in_at: z.string().optional(),
            confirmed_at: z.string().optional(),
            ip: z.string().optional(),
            source: z.string().optional().meta({ description: "For example, the name of a form." }),
            left: z
              .object({ reason: z.enum(leavingReasons), at: z.string().nullable() })
              .optional()
              .meta({
                description: "The subscriber was added as unsubscribed, so that no import adds them again.",
              }),
          })
          .optional()
          .meta({ description: "Data from an imported list, not verified." }),
        agreed: z
          .object({
            wording: z.string(),
            version: z.int().meta({ description: "Increases with each change of the wording." }),
            page: z.string().meta({ description: "The sign-up page's address." }),
            from: z.string().nullable().meta({
              description: "The page with the embedded form, as reported by the browser.",
            }),
            at: z.string(),
          })
          .optional()
          .meta({ description: "The text above the button of the sign-up page." }),
        copied_from: z
          .object({
            newsletter: z.string().meta({ description: "The name at that time." }),
            moved: z.boolean().meta({ description: "The subscriber was removed there." }),
            added_at: z.string().meta({ description: "When the subscriber was added there." }),
            confirmed_at: z.string().nullable(),
          })
          .optional()
          .meta({ description: "For created: the newsletter that the subscriber was on before." }),
        copied_to: z.object({ newsletter: z.string() }).optional().meta({
          description: "For copied and restored: the name of the other newsletter at that time.",
        }),
        imported_by: z.string().optional(),
        reason: z.string().optional().meta({ description: "Why an email was not sent or did not arrive." }),
        until: z.string().optional().meta({ description: "When a deferred email is retried." }),
      })
      .meta({
        description: "Further details, where they apply.",
        examples: [
          {
            mail: {
              id: "01a1fab8-2230-7d10-8f6b-4f0c1f6f9a21",
              kind: "confirmation",
              to: "ada@lovelace.org",
              subject: "Confirm your subscription to Weekly",
              asked_at: "2026-06-11T17:00:00+00:00",
            },
          },
        ],
      }),
  })
  .meta({ id: "Activity" });
export type ActivityRecord = z.infer<typeof ActivityRecord>;

/** The activity before the page. */
export type ActivityPlace = { at: Date; rank: number; id: string };

const placeShape = /^(\d{1,14})\.(\d)\.([0-9a-f-]{36}(?:\.[a-z_]{1,20})?)$/;

export const writeActivityCursor = ({ at, rank, id }: ActivityPlace): string =>
  writeCursor(`${at.getTime()}.${rank}.${id}`);

function readPlace(text: string): ActivityPlace | null {
  const [, at, rank, id] = placeShape.exec(text) ?? [];
  return id === undefined ? null : { at: new Date(Number(at)), rank: Number(rank), id };
}

export const ActivityQuery = z.object({
  limit: limitField,
  cursor: cursorSchema(readPlace).optional().meta({ description: "The next_cursor of the previous page." }),
});

export const ActivityPagination = z
  .object({
    limit: z.int().nonnegative(),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "Cursor of the next page. Null on the last page." }),
  })
  .meta({ id: "ActivityPagination" });
