/** Asks the sign-in endpoint. @returns what it says against it, or null when it was done */
export async function postAuth(
  path: "sign-in/email" | "sign-out" | "change-password",
  body: object,
): Promise<string | null> {
  try {
    const response = await fetch(`/api/auth/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return null;
    const { message } = (await response.json()) as { message?: string };
    return message ?? "The server could not do this. Nothing was changed; try again shortly.";
  } catch {
    return "Rollcall can't be reached. Check your connection and try again.";
  }
}
