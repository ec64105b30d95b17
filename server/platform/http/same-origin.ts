/**
 * Whether a page of this installation sent the request. Browsers send Origin with every request that can change
 * something, and no page can forge it. Origin is not compared with Host: with DNS rebinding both can be an attacker's.
 * @param origins the result of config.ts's `ownOrigins`
 */
export function isOurOrigin(request: Request, origins: readonly string[]): boolean {
  const origin = request.headers.get("origin");
  return origin !== null && origins.includes(origin);
}

/** The message for a request that `isOurOrigin` rejects. Its second half is for the operator. */
export const foreignOrigin =
  "This request did not come from a page of Rollcall, so nothing was changed. If it did, APP_URL or APP_ORIGINS must list the address of the page, with http:// or https://.";

/** Whether a Host header is one of our hosts. Schemes are ignored, because a proxy may end TLS. */
export function isOurHost(host: string | null | undefined, origins: readonly string[]): boolean {
  const given = host?.toLowerCase();
  return origins.some((origin) => {
    const [scheme, own] = origin.split("://");
    return given === own || given === `${own}:${scheme === "https" ? 443 : 80}`;
  });
}

/** The message (status 421) for a request to a host that is not ours. */
export const foreignHost =
  "This address is not configured for Rollcall. Nothing was changed.\nOperators: set APP_URL to the address that people use, or add this address to APP_ORIGINS, and restart. A proxy in front must pass the Host header.\n";
