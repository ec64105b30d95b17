/**
 * Whether a page of this very installation sent the request. A browser sends Origin with everything that can change
 * something, and no page can forge it. Never compared with Host: a stranger's name can be made to lead here (DNS
 * rebinding), and then both are the stranger's.
 * @param origins what config.ts's `ownOrigins` gives
 */
export function isOurOrigin(request: Request, origins: readonly string[]): boolean {
  const origin = request.headers.get("origin");
  return origin !== null && origins.includes(origin);
}

/** For a request that `isOurOrigin` rejects; the second half is for whoever runs Rollcall. */
export const foreignOrigin =
  "This request did not come from a page of Rollcall, so nothing was changed. If it did, APP_URL or APP_ORIGINS must list the address of the page, with http:// or https://.";

/** Whether a Host header is a name of ours. Schemes don't count: a proxy may end TLS. */
export function isOurHost(host: string | null | undefined, origins: readonly string[]): boolean {
  const given = host?.toLowerCase();
  return origins.some((origin) => {
    const [scheme, own] = origin.split("://");
    return given === own || given === `${own}:${scheme === "https" ? 443 : 80}`;
  });
}

/** The answer (421) to what comes to a name that is none of ours. */
export const foreignHost =
  "This address is not configured for Rollcall. Nothing was changed.\nOperators: set APP_URL to the address that people use, or add this address to APP_ORIGINS, and restart. A proxy in front must pass the Host header.\n";
