/** How the list of people may be ordered; a minus turns it round. Who has no name or no confirmation stands last either way. */
export const peopleOrders = [
  "newest",
  "oldest",
  "email",
  "-email",
  "name",
  "-name",
  "confirmed",
  "-confirmed",
] as const;

export type PeopleOrder = (typeof peopleOrders)[number];
