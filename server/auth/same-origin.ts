/**
 * Whether a page of this very instance sent the request: by APP_URL, or by the name that the request itself came to.
 * A browser sends Origin with everything that can change something, and no page can forge it.
 */
export function isOurOrigin(request: Request, appUrl: string): boolean {
  const origin = request.headers.get("origin");
  if (!origin || !URL.canParse(origin)) return false;
  return origin === new URL(appUrl).origin || new URL(origin).host === request.headers.get("host");
}
