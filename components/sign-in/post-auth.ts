import { RejectedError } from "../ui/error-of";

const rejected = (message: string) => new RejectedError({ message, errors: {}, code: null });

/** Calls the sign-in endpoint. @throws RejectedError with what the server answered */
export async function postAuth(
  path: "sign-in/email" | "sign-out" | "change-password",
  body: object,
): Promise<void> {
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw rejected("Rollcall can't be reached. Check your connection and try again.");
  });
  if (response.ok) return;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  throw rejected(message ?? "The server could not do this. Nothing was changed; try again shortly.");
}
