import { createParser } from "nuqs";
import { isId } from "@/server/kernel/ids";

/** An id in the page's address; anything else counts as none. */
export const parseAsId = createParser<string>({
  parse: (text) => (isId(text) ? text : null),
  serialize: (id) => id,
});
