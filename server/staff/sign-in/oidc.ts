import { genericOAuth } from "better-auth/plugins";
import { AppError } from "../../kernel/errors";
import { ownPathOrRoot } from "../../kernel/own-path";
import { within } from "../../kernel/time";

/** The organisation's own sign-in (OpenID Connect). */
export type Oidc = { issuer: string; clientId: string; clientSecret: string };

const OIDC_PROVIDER = "oidc";

/** The timeout for the organisation's server, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Configures the library's OpenID Connect client. It signs in existing staff only and never creates staff. It matches
 * by subject; the first sign-in matches by an address that the organisation has verified.
 */
export const oidcClient = ({ issuer, clientId, clientSecret }: Oidc) =>
  genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        disableSignUp: true,
      },
    ],
  });

/**
 * Builds the library's request: the provider, and the page to return to. The library would also accept a ready ID
 * token.
 */
export const oidcRequest = (next: string) =>
  JSON.stringify({
    provider: OIDC_PROVIDER,
    callbackURL: ownPathOrRoot(next),
    errorCallbackURL: "/sign-in",
    disableRedirect: true,
  });

export const oidcUnavailable = () =>
  new AppError(
    "service_unavailable",
    "Your organisation's sign-in can't be reached. Nothing was changed. Try again shortly or use your password.",
    { retryAfterSeconds: 10 },
  );

/** Adds a timeout, since the library sets none. @throws AppError service_unavailable after `ms` */
export const beforeTimeout = <T>(work: Promise<T>, ms = TIMEOUT_MS): Promise<T> =>
  within(ms, work, oidcUnavailable);
