import { createParser } from "nuqs";
import { z } from "zod";

const Id = z.uuid();

/** An id in the page's address; anything else counts as none. */
export const parseAsId = createParser<string>({
  parse: (text) => (Id.safeParse(text).success ? text : null),
  serialize: (id) => id,
});
