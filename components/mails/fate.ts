type Mail = {
  state: string;
  delayedAt: Date | null;
  deliveredAt: Date | null;
  bouncedAt: Date | null;
  complainedAt: Date | null;
};

/** What became of a mail in one word: what is known of it last counts, and bad news more than good. */
export function fateOf({ state, delayedAt, deliveredAt, bouncedAt, complainedAt }: Mail): string {
  if (complainedAt) return "complained";
  if (bouncedAt) return "bounced";
  if (state !== "sent") return state;
  if (deliveredAt) return "delivered";
  return delayedAt ? "delayed" : "sent";
}

export const kinds: Record<string, string> = {
  confirmation: "Confirmation",
  test: "Test",
  invitation: "Invitation",
};
