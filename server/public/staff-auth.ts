import type { AppContext } from "../app";
import { handleStaffAuth } from "../staff/sign-in/staff-handler";
import type { PageRequest } from "./pages/page";

type Said = { message?: string; twoFactorRedirect?: boolean; url?: string };
type StaffAuthResult = {
  ok: boolean;
  status: number;
  said: Said;
  cookies: string[];
  /** Such as Retry-After; for the page that shows the rejection. */
  headers: Record<string, string>;
};

/**
 * Calls a sign-in endpoint for a sent form, with the form's own cookies and Origin. @param origin replaces the Origin for
 * a page whose URL grants access
 */
export async function callStaffAuth(
  app: AppContext,
  { request, address }: Pick<PageRequest, "request" | "address">,
  { path, body, origin }: { path: string; body: object; origin?: string },
): Promise<StaffAuthResult> {
  const headers = new Headers(request.headers);
  headers.set("Content-Type", "application/json");
  headers.delete("Content-Length");
  if (origin) headers.set("Origin", origin);
  const url = `${app.appUrl}/api/auth/${path}`;
  const call = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await handleStaffAuth(app, call, address);
  const retryAfter = response.headers.get("retry-after");
  return {
    ok: response.ok,
    status: response.status,
    said: (await response.json()) as Said,
    cookies: response.headers.getSetCookie(),
    headers: retryAfter === null ? {} : { "Retry-After": retryAfter },
  };
}

/** Redirects the browser to a page of ours. @param cookies of a sign-in */
export function redirectTo(path: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: path, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}
