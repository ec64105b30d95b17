import type { ServerResponse } from "node:http";

const responses = new WeakMap<Request, ServerResponse>();

/** Remembers the connection of a request for `breakConnection`. */
export const rememberConnection = (request: Request, response: ServerResponse) =>
  void responses.set(request, response);

/**
 * Closes the connection in the middle of an answer, so that the client sees a broken transfer and not a short list.
 * @returns false if this process does not know the connection, because Next alone serves the request
 */
export function breakConnection(request: Request): boolean {
  const response = responses.get(request);
  response?.destroy();
  return response !== undefined;
}
