import { createParser } from "nuqs";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id in the page's address; anything else counts as none. */
export const parseAsId = createParser<string>({
  parse: (text) => (UUID.test(text) ? text : null),
  serialize: (id) => id,
});
