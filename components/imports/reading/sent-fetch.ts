import { progressHeader, shareIn } from "@/server/contract/plan-progress";

/** What is done with a request of megabytes, and how much of it, from 0 to 1. */
export type OnStep = (step: "sent" | "compared", share: number) => void;

/**
 * `fetch` for requests of megabytes: it tells how much of one has been sent, which the browser's own does not, and how far the
 * server says it is.
 * @param onStep of the request under way
 */
export const fetchTelling =
  (onStep: OnStep): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init?.method ?? "GET", String(input));
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value);
      request.setRequestHeader(progressHeader, "1");
      request.upload.onprogress = ({ loaded, total }) => onStep("sent", total === 0 ? 0 : loaded / total);
      request.upload.onload = () => onStep("sent", 1);
      request.onprogress = () => {
        // An answer that has come whole has nothing more to tell.
        if (request.readyState === XMLHttpRequest.LOADING) onStep("compared", shareIn(request.responseText));
      };
      request.onerror = () => reject(new TypeError("Failed to fetch"));
      request.onload = () => {
        const { status, statusText, responseText } = request;
        resolve(new Response(responseText, { status, statusText }));
      };
      request.send((init?.body as string | undefined) ?? null);
    });
