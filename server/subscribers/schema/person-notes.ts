import { z } from "zod";

export const longestNote = 10_000;

/** A note of staff about a person: plain text with line breaks. */
export const NoteText = z
  .string({ error: "A note must be text." })
  .max(longestNote, `A note may have at most ${longestNote.toLocaleString("en")} characters.`)
  .regex(/^[^\0]*$/, "The note contains an invisible control character. Remove it.")
  .transform((text) => text.replace(/\r\n?/g, "\n").trimEnd());
