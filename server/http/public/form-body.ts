import { AppError } from "../../errors";

/** Far more than our forms hold. */
export const maxFormBytes = 16 * 1024;

/**
 * The fields of a form that a browser posted.
 * @throws AppError unsupported_media_type, payload_too_large, malformed_request
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new AppError("unsupported_media_type", "Not a form.");
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      size += read.value.byteLength;
      if (size > maxFormBytes) {
        // Not awaited: the sender may never stop.
        reader?.cancel().catch(() => {});
        throw new AppError("payload_too_large", "The form is too large.", {
          headers: { Connection: "close" },
        });
      }
      chunks.push(read.value);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("malformed_request", "The form did not arrive whole.", { cause: error });
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
