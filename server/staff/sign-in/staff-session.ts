import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type pino from "pino";
import { sessionIdleHours, sessionLifeDays } from "../../kernel/durations";
import { AppError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import type { Language } from "../../kernel/languages";
import { keysFor, type Secrets } from "../../kernel/secrets";
import type { Db } from "../../platform/db/client";
import { deleteSessions, findSecondFactors, oldestSession } from "../queries/staff";
import type { Role } from "../schema/roles";
import { beforeTimeout, type Oidc, oidcClient, oidcUnavailable } from "./oidc";
import { oneTimeCodes } from "./one-time-codes";
import { hashPassword, verifyPassword } from "./password-hashing";
import { withSessionDigests } from "./session-digests";

const IDLE_SECONDS = sessionIdleHours * 3600;
const LIFE_SECONDS = sessionLifeDays * 86_400;
/** The shortest time between two updates of a session's last use. */
const NOTED_SECONDS = 5 * 60;

type Changed = Record<string, unknown> & { expiresAt?: Date };

/** Shortens a session's expiry to the idle timeout before the library stores it. */
async function endingWhenIdle(session: Changed): Promise<{ data: Changed }> {
  const { expiresAt } = session;
  if (!expiresAt) return { data: session };
  const idleEnd = Date.now() + IDLE_SECONDS * 1000;
  return { data: { ...session, expiresAt: new Date(Math.min(expiresAt.getTime(), idleEnd)) } };
}

/**
 * The library has one lifetime for session and cookie. It sets the cookie only at sign-in, so the cookie must outlive
 * the idle timeout. The library therefore gets the longest lifetime, and the stored session expires earlier.
 */
const sessionSpans = {
  expiresIn: LIFE_SECONDS,
  // The library updates a session when `expiresAt - expiresIn + updateAge` is over.
  updateAge: LIFE_SECONDS - IDLE_SECONDS + NOTED_SECONDS,
};

const sessionHooks = {
  create: { before: endingWhenIdle },
  update: { before: endingWhenIdle },
};

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/** The header in which staff-handler.ts passes the caller's address to the library. */
export const CALLER_HEADER = "x-rollcall-staff-address";

export type SignedIn = {
  id: string;
  accountId: string;
  email: string;
  name: string;
  role: Role;
  /** The dashboard's language; null means the browser's language. */
  language: Language | null;
  sessionId: string;
  signedInAt: Date;
  /** The account requires a second factor and the person has none. They can only set one up. */
  lacksSecondFactor: boolean;
};

/** The parts of the app that staff sign-in uses. */
export type StaffAuthContext = {
  db: Db;
  appUrl: string;
  origins: readonly string[];
  authSecrets: Secrets;
  oidc?: Oidc | null;
  log: Pick<pino.Logger, "warn">;
};

const secondFactorApp = (appUrl: string) =>
  twoFactor({
    issuer: `Rollcall (${new URL(appUrl).host})`,
    schema: { twoFactor: { modelName: "staffTwoFactor", fields: { userId: "staffId" } } },
  });

const passkeys = ({ appUrl, origins }: Pick<StaffAuthContext, "appUrl" | "origins">) =>
  passkey({
    rpID: new URL(appUrl).hostname,
    rpName: "Rollcall",
    origin: [...origins],
    // A passkey replaces password and second factor. So it must verify the user (finger, face or PIN) and store the
    // account.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    authentication: { afterVerification: demandVerifiedUser },
    schema: { passkey: { modelName: "staffPasskey", fields: { userId: "staffId" } } },
  });

/** The library's tables under our names. */
const tables = {
  user: {
    modelName: "staffMember",
    additionalFields: {
      accountId: { type: "string", required: true, input: false },
      role: { type: "string", required: true, input: false },
      language: { type: "string", required: false, input: false },
    },
  },
  session: { modelName: "staffSession", fields: { userId: "staffId" }, ...sessionSpans },
  account: {
    modelName: "staffCredential",
    fields: { userId: "staffId", accountId: "providerAccountId" },
    updateAccountOnSignIn: false,
  },
  verification: { modelName: "staffVerification", storeIdentifier: "hashed" },
} as const;

function libraryOptions({ db, appUrl, origins, authSecrets, log }: StaffAuthContext) {
  const isSecure = appUrl.startsWith("https:");
  // The keys of the library's ciphertexts, newest first. The library checks cookies with the newest one only.
  const keys = keysFor(authSecrets, "staff sessions").map((key) => key.toString("base64url"));
  // A ciphertext names its key's version. The version must stay the same when a newer secret is added.
  const versions = keysFor(authSecrets, "staff session versions").map((key) => key.readUInt32BE() >>> 1);
  return {
    appName: "Rollcall",
    baseURL: appUrl,
    basePath: "/api/auth",
    secret: keys[0] as string,
    secrets: keys.map((value, i) => ({ version: versions[i] as number, value })),
    database: withSessionDigests(prismaAdapter(db, { provider: "postgresql" })),
    trustedOrigins: [...origins],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    ...tables,
    plugins: [oneTimeCodes(db), secondFactorApp(appUrl), passkeys({ appUrl, origins })],
    // staff-handler.ts counts failures with the limiter that all processes share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Errors that aren't the library's answers, such as an unreachable database, are thrown to our handler, which logs
    // them.
    onAPIError: { throw: true },
    advanced: {
      // __Host- stops other hosts of the domain from setting these cookies. The library's own prefix is only __Secure-.
      cookiePrefix: isSecure ? "__Host-rollcall" : "rollcall",
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure },
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [CALLER_HEADER] },
    },
    databaseHooks: {
      session: sessionHooks,
      // After the sign-in the app sends no requests to the organisation, so its tokens aren't stored.
      account: { create: { before: async (account) => ({ data: { ...account, ...noTokens } }) } },
    },
    logger: { level: "error", log: (_level, message) => log.warn({ from: "better-auth" }, message) },
  } satisfies BetterAuthOptions;
}

const openStaffAuth = (context: StaffAuthContext) => betterAuth(libraryOptions(context));

/** Rejects unverified users. The library asks for user verification but accepts an answer without it. */
async function demandVerifiedUser({
  verification,
}: {
  verification: { authenticationInfo: { userVerified: boolean } };
}): Promise<void> {
  if (!verification.authenticationInfo.userVerified)
    throw new APIError("UNAUTHORIZED", {
      code: "AUTHENTICATION_FAILED",
      message: "The user was not verified.",
    });
}

type StaffAuth = ReturnType<typeof openStaffAuth>;
const opened = new WeakMap<StaffAuthContext, StaffAuth>();

/** Returns this app's staff sign-in. The library takes 0.1 s to start, so it starts with the first caller. */
export function staffAuth(context: StaffAuthContext): StaffAuth {
  let auth = opened.get(context);
  if (!auth) {
    auth = openStaffAuth(context);
    opened.set(context, auth);
  }
  return auth;
}

type OidcAuth = { handler(request: Request): Promise<Response> };
const openedOidc = new WeakMap<StaffAuthContext, Promise<OidcAuth>>();

/**
 * Returns the library with the organisation's sign-in, apart from `staffAuth`. This instance requests the
 * organisation's server when it opens, and password sign-ins must not wait for that server. After a failure the next
 * caller opens it again.
 * @throws AppError service_unavailable
 */
export function oidcAuth(context: StaffAuthContext): Promise<OidcAuth> {
  let auth = openedOidc.get(context);
  if (!auth) {
    auth = beforeTimeout(openOidcAuth(context));
    openedOidc.set(context, auth);
    auth.catch(() => openedOidc.delete(context));
  }
  return auth;
}

async function openOidcAuth(context: StaffAuthContext): Promise<OidcAuth> {
  if (!context.oidc) throw new AppError("not_found", "Not found.");
  const options = libraryOptions(context);
  const auth = betterAuth({ ...options, plugins: [...options.plugins, oidcClient(context.oidc)] });
  const { socialProviders } = await auth.$context;
  if (socialProviders.length === 0) throw oidcUnavailable();
  return auth;
}

/** Explains a failed session lookup. The library hides the cause, which can only be the database. */
function explainFailure(cause: unknown): null {
  if (!(cause instanceof APIError)) throw cause;
  if (cause.status === "UNAUTHORIZED") return null; // another request ended the session between two statements
  const message = "Your session could not be checked. Nothing was changed. Try again shortly.";
  throw new AppError("service_unavailable", message, { retryAfterSeconds: 2, cause });
}

/**
 * Returns the staff member signed in by this request's cookies, or null.
 * @throws AppError service_unavailable
 */
export async function findSignedIn(context: StaffAuthContext, headers: Headers): Promise<SignedIn | null> {
  if (!headers.get("cookie")) return null;
  const found = await staffAuth(context).api.getSession({ headers }).catch(explainFailure);
  if (!found) return null;
  const { user, session } = found;
  if (session.createdAt < oldestSession()) {
    await deleteSessions(context.db, { staffId: user.id, id: session.id });
    return null;
  }
  const { id, accountId, email, name } = user;
  const factors = user.twoFactorEnabled ? null : await findSecondFactors(context.db, id);
  return {
    ...{ id, accountId, email, name },
    role: user.role as Role,
    language: (user.language ?? null) as Language | null,
    sessionId: session.id,
    signedInAt: session.createdAt,
    lacksSecondFactor: Boolean(factors?.required && factors.passkeys === 0),
  };
}

const SESSION_COOKIE = /^(?:__Secure-|__Host-)?rollcall\.session_token=/;

/** Copies headers without the session cookie. */
export function withoutSession(headers: Headers): Headers {
  const others = (headers.get("cookie") ?? "").split(/; */).filter((cookie) => !SESSION_COOKIE.test(cookie));
  const changed = new Headers(headers);
  changed.set("cookie", others.join("; "));
  return changed;
}

export async function endSessionOf({ db }: StaffAuthContext, { id, sessionId }: SignedIn): Promise<void> {
  await deleteSessions(db, { staffId: id, id: sessionId });
}
