import { z } from "zod";
import { leavingReasons } from "../domain/list-parser/list-types";
import { limitField } from "./list-query";
import { personMailKinds } from "./mail-states";

/** What can have happened to a subscriber. */
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

/** Who did it. person: the subscriber, by a mailed link or a complaint. page: a sign-up page. */
export const actorKinds = ["api_key", "staff", "import", "operator", "person", "page"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** Through what it was done, where that is not its actor alone. link: of a confirmation that was not mailed. */
export const activityMeans = ["link", "complaint", "bulk_action", "merge", "pause", "suppression"] as const;

const Changed = z.object({ from: z.string(), to: z.string() });

export const ActivityRecord = z
  .object({
    id: z.string().meta({
      description: "Unique among the person's activities.",
      examples: ["01a1fab8-221d-73cc-bf6f-88bbf811ce3c"],
    }),
    type: z.enum(activityTypes).meta({
      description:
        "kept: a confirmation was written while no mail leaves. signed_up: a person who was on the list already filled in the sign-up page, and was asked. confirmed: the person pressed the link that was mailed to them; nothing else is their consent. welcomed: the newsletter’s welcome was asked for, since they confirmed. link_asked: they asked for a link to their preferences. address_asked: they entered another address there, and were asked at it. restored: a bulk action was undone. copied: an earlier version copied them to another newsletter of the account.",
      examples: ["confirmed"],
    }),
    at: z.string().meta({
      description: "ISO 8601, whole seconds, offset +00:00.",
      examples: ["2026-06-11T17:04:31+00:00"],
    }),
    by: z
      .object({
        kind: z.enum(actorKinds),
        id: z.uuid().nullable(),
        name: z.string().nullable().meta({ description: "Null when it is gone." }),
      })
      .nullable()
      .meta({
        description: "Null of what happened to a mail.",
        examples: [{ kind: "person", id: null, name: null }],
      }),
    address: z
      .string()
      .nullable()
      .meta({
        description: "The IP address that it was done from, where it is known.",
        examples: ["203.0.113.7"],
      }),
    detail: z
      .object({
        status: z.string().optional().meta({ description: "Of status_changed: the new status." }),
        changes: z
          .record(z.string(), Changed)
          .optional()
          .meta({ description: "Changed values by field: `email`, `name`, `fields.KEY`, `tags`." }),
        mail: z
          .object({
            id: z.uuid(),
            kind: z.enum(["reminder", ...personMailKinds]),
            to: z.string(),
            subject: z.string().nullable().meta({ description: "Null before the mail is written." }),
            asked_at: z.string(),
          })
          .optional()
          .meta({ description: "The mail that it is about, or whose link was pressed." }),
        through: z
          .object({ kind: z.enum(activityMeans), id: z.uuid().nullable() })
          .optional()
          .meta({
            description:
              "link: a confirmation link that was not mailed, so its use is no proof of consent. merge: an earlier version merged two addresses of one person; `id` is the person who was kept. pause: an earlier version had breaks; one began or ended.",
          }),
        consent: z.object({ source: z.string(), wording: z.string() }).optional().meta({
          description:
            "The consent that staff stated for the people of an import.",
        }),
        evidence: z
          .object({
            opted_in_at: z.string().optional(),
            confirmed_at: z.string().optional(),
            ip: z.string().optional(),
            source: z.string().optional().meta({ description: "Such as the name of a form." }),
            left: z
              .object({ reason: z.enum(leavingReasons), at: z.string().nullable() })
              .optional()
              .meta({ description: "They were added as unsubscribed, so that nobody adds them back." }),
          })
          .optional()
          .meta({ description: "Data from an imported list, not verified." }),
        agreed: z
          .object({
            wording: z.string(),
            version: z.int().meta({ description: "Counts up with each change of the wording." }),
            page: z.string().meta({ description: "The sign-up page's address." }),
            from: z.string().nullable().meta({
              description: "The page of another site that the form stood on, as the browser named it.",
            }),
            at: z.string(),
          })
          .optional()
          .meta({ description: "The text above the button of the sign-up page." }),
        copied_from: z
          .object({
            newsletter: z.string().meta({ description: "Its name at that time." }),
            moved: z.boolean().meta({ description: "They were removed there." }),
            added_at: z.string().meta({ description: "Since when they were on it." }),
            confirmed_at: z.string().nullable(),
          })
          .optional()
          .meta({ description: "Of created: the newsletter of the account that they were on before." }),
        copied_to: z.object({ newsletter: z.string() }).optional().meta({
          description: "Of copied, and of restored: the other newsletter, by its name at that time.",
        }),
        imported_by: z.string().optional(),
        reason: z.string().optional().meta({ description: "Why a mail was not sent or did not arrive." }),
        until: z.string().optional().meta({ description: "When a deferred mail is tried again." }),
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

/** Where a page begins: after this activity. */
export type ActivityPlace = { at: Date; rank: number; id: string };

const placeShape = /^(\d{1,14})\.(\d)\.([0-9a-f-]{36}(?:\.[a-z_]{1,20})?)$/;

export const writeActivityCursor = ({ at, rank, id }: ActivityPlace): string =>
  btoa(`${at.getTime()}.${rank}.${id}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @returns null for a cursor that we never wrote */
function readActivityCursor(cursor: string): ActivityPlace | null {
  if (!/^[A-Za-z0-9_-]{1,120}$/.test(cursor) || cursor.length % 4 === 1) return null;
  const found = placeShape.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")));
  return found && { at: new Date(Number(found[1])), rank: Number(found[2]), id: found[3] as string };
}

/** The query of a person's activities. */
export const ActivityQuery = z.object({
  limit: limitField,
  cursor: z
    .string()
    .transform((value, ctx) => {
      const place = readActivityCursor(value);
      if (place) return place;
      const message = "cursor must be a next_cursor of an earlier answer.";
      ctx.issues.push({ code: "custom", message, input: value });
      return z.NEVER;
    })
    .optional()
    .meta({ description: "The next_cursor of the page before. The same cost for any page." }),
});

export const ActivityPagination = z
  .object({
    limit: z.int().nonnegative(),
    next_cursor: z.string().nullable().meta({ description: "For the next page; null on the last." }),
  })
  .meta({ id: "ActivityPagination" });
