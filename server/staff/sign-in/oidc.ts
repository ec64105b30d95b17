import { genericOAuth } from "better-auth/plugins";
import { AppError } from "../../kernel/errors";
import { pathOfOurs } from "../../kernel/own-path";

/** The organisation's own sign-in (OpenID Connect). */
export type Oidc = { issuer: string; clientId: string; clientSecret: string };

export const OIDC_PROVIDER = "oidc";

/** How long the organisation's server may take. */
const TIMEOUT_MS = 10_000;

/**
 * The library's client of it. It signs in who is on the staff already: by the subject, the first time by an address that the
 * organisation says is verified. It makes nobody staff.
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

/** What the library is asked: where to go, and where whoever comes back wants to. It would take a ready ID token, too. */
export const oidcRequest = (next: string) =>
  JSON.stringify({
    provider: OIDC_PROVIDER,
    callbackURL: pathOfOurs(next),
    errorCallbackURL: "/sign-in",
    disableRedirect: true,
  });

export const oidcAway = () =>
  new AppError(
    "service_unavailable",
    "Your organisation's sign-in can't be reached. Nothing was changed. Try again shortly or use your password.",
    { retryAfterSeconds: 10 },
  );

/** The library sets no time-out. @throws AppError service_unavailable after `ms` */
export async function beforeTimeout<T>(work: Promise<T>, ms = TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(oidcAway()), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
