/** How much of a request has left this machine, from 0 to 1. */
type OnSent = (share: number) => void;

/**
 * `fetch` for requests of megabytes: it tells how much of one has been sent, which the browser's own does not.
 * @param onSent of the request under way
 */
export const fetchTelling =
  (onSent: OnSent): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init?.method ?? "GET", String(input));
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total);
      request.upload.onload = () => onSent(1);
      request.onerror = () => reject(new TypeError("Failed to fetch"));
      request.onload = () => {
        const { status, statusText, responseText } = request;
        resolve(new Response(responseText, { status, statusText }));
      };
      request.send((init?.body as string | undefined) ?? null);
    });
