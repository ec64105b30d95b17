import { createParser } from "nuqs";
import { isId } from "@/server/kernel/ids";

/** Parses an id in the page's address. Any other value counts as absent. */
export const parseAsId = createParser<string>({
  parse: (text) => (isId(text) ? text : null),
  serialize: (id) => id,
});
