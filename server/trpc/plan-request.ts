import { blanksFor, progressHeader } from "../contract/plan-progress";
import type { ListThread } from "./list-thread";

/** Makes tRPC's own reading of this request give what the thread makes of it: a plan with the parts of its list. */
export function readInThread(thread: ListThread, request: Request): void {
  const json = async () => {
    const read = await thread.read(new Uint8Array(await request.arrayBuffer()));
    return { json: { ...read.request, plan: read.list } };
  };
  Object.defineProperty(request, "json", { value: json });
}

/** Answers at once where the caller asks for it, with how far the work is, and with what it gives in the end. */
export async function answerWithProgress(
  request: Request,
  work: (onShare?: (share: number) => void) => Promise<Response>,
): Promise<Response> {
  if (!request.headers.has(progressHeader)) return work();
  const text = new TextEncoder();
  let shown = 0;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const response = await work((share) => {
        const more = blanksFor(share) - shown;
        if (more <= 0) return;
        shown += more;
        controller.enqueue(text.encode(" ".repeat(more)));
      });
      controller.enqueue(new Uint8Array(await response.arrayBuffer()));
      controller.close();
    },
  });
  return new Response(body, {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
