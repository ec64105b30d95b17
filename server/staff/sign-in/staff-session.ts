import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type pino from "pino";
import { keysFor, type Secrets } from "../../kernel/derived-keys";
import { AppError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import type { Language } from "../../kernel/languages";
import type { Db } from "../../platform/db/client";
import { deleteSessions, findSecondFactors, oldestSession, replacePasswordHash } from "../queries/staff";
import type { Role } from "../schema/roles";
import { resignCookies } from "./cookie-signatures";
import { beforeTimeout, type Oidc, oidcAway, oidcClient } from "./oidc";
import { oneTimeCodes } from "./one-time-codes";
import { hashPassword, hasOldCost, verifyPassword } from "./password-hashing";
import { withSessionDigests } from "./session-digests";
import { sessionHooks, sessionSpans } from "./session-life";

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/** The header in which our own handler passes the caller's address to the library; see staff-handler.ts. */
export const CALLER_HEADER = "x-rollcall-staff-address";

/** A staff member who is signed in. */
export type SignedIn = {
  id: string;
  accountId: string;
  email: string;
  name: string;
  role: Role;
  /** Of the dashboard; null: the browser's. */
  language: Language | null;
  sessionId: string;
  signedInAt: Date;
  /** The account demands a second factor, and they have none: they can set one up, and nothing else. */
  lacksSecondFactor: boolean;
};

/** What staff sign-in needs of the app. */
export type StaffAuthContext = {
  db: Db;
  appUrl: string;
  origins: readonly string[];
  authSecrets: Secrets;
  oidc?: Oidc | null;
  log: Pick<pino.Logger, "warn">;
};

/** The keys of the library's cookies and ciphertexts, the newest first. */
function sessionKeys(secrets: Secrets): [string, ...string[]] {
  const [newest, ...older] = keysFor(secrets, "staff sessions").map((key) => key.toString("base64url"));
  return [newest as string, ...older];
}

/** The same headers, readable for the library whichever of the secrets signed their cookies. */
export const readableHeaders = ({ authSecrets }: StaffAuthContext, headers: Headers) =>
  resignCookies(headers, sessionKeys(authSecrets));

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
    // A passkey stands for password and second factor: it has to ask for a finger, face or PIN, and to know its person.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    authentication: { afterVerification: demandVerifiedUser },
    schema: { passkey: { modelName: "staffPasskey", fields: { userId: "staffId" } } },
  });

function libraryOptions({ db, appUrl, origins, authSecrets, log }: StaffAuthContext) {
  const isSecure = appUrl.startsWith("https:");
  const keys = sessionKeys(authSecrets);
  // A ciphertext names the version of its key, which must stay the same when another secret comes before it.
  const versions = keysFor(authSecrets, "staff session versions").map((key) => key.readUInt32BE() >>> 1);
  return {
    appName: "Rollcall",
    baseURL: appUrl,
    basePath: "/api/auth",
    secret: keys[0],
    secrets: keys.map((value, i) => ({ version: versions[i] as number, value })),
    database: withSessionDigests(prismaAdapter(db, { provider: "postgresql" })),
    trustedOrigins: [...origins],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      password: { hash: hashPassword, verify: (given) => verifyAndRenew(db, given) },
    },
    user: {
      modelName: "staffMember",
      additionalFields: {
        accountId: { type: "string", required: true, input: false },
        role: { type: "string", required: true, input: false },
        language: { type: "string", required: false, input: false },
      },
    },
    session: {
      modelName: "staffSession",
      fields: { userId: "staffId" },
      ...sessionSpans,
    },
    account: {
      modelName: "staffCredential",
      fields: { userId: "staffId", accountId: "providerAccountId" },
      updateAccountOnSignIn: false,
    },
    verification: { modelName: "staffVerification", storeIdentifier: "hashed" },
    plugins: [oneTimeCodes(db), secondFactorApp(appUrl), passkeys({ appUrl, origins })],
    // staff-handler.ts counts failures with the limiter that all processes share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // What is no answer of the library's, a database that is away, is ours to answer and to log.
    onAPIError: { throw: true },
    advanced: {
      // __Host-: no other name of the same domain can set them. The library itself would begin with __Secure- only.
      cookiePrefix: isSecure ? "__Host-rollcall" : "rollcall",
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure },
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [CALLER_HEADER] },
    },
    databaseHooks: {
      session: sessionHooks,
      // Nothing is asked of the organisation after the sign-in: its tokens are not kept.
      account: { create: { before: async (account) => ({ data: { ...account, ...noTokens } }) } },
    },
    logger: { level: "error", log: (_level, message) => log.warn({ from: "better-auth" }, message) },
  } satisfies BetterAuthOptions;
}

const openStaffAuth = (context: StaffAuthContext) => betterAuth(libraryOptions(context));

/** Verifies a password. A digest of another cost is renewed, since only now the password is known. */
async function verifyAndRenew(db: Db, given: { hash: string; password: string }): Promise<boolean> {
  const isRight = await verifyPassword(given);
  if (!hasOldCost(given.hash)) return isRight;
  // For a wrong password, too: it must not be seen by the time that there is such an account.
  const renewed = await hashPassword(given.password);
  if (isRight) await replacePasswordHash(db, given.hash, renewed);
  return isRight;
}

/** The library asks for it, and takes an answer without it. */
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

/** Staff sign-in of this app. The library takes 0.1 s to start, so it waits for the first caller. */
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
 * The library with the organisation's sign-in, apart from the one above: it asks the organisation's server when it is opened,
 * and whoever signs in by password must not wait for that. Opened again by the next caller when that server was away.
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
  if (socialProviders.length === 0) throw oidcAway();
  return auth;
}

/** The library hides why it could not look a session up, which only the database can fail at. */
function explainFailure(cause: unknown): null {
  if (!(cause instanceof APIError)) throw cause;
  if (cause.status === "UNAUTHORIZED") return null; // ended by another request, between two statements
  const message = "Your session could not be checked. Nothing was changed. Try again shortly.";
  throw new AppError("service_unavailable", message, { retryAfterSeconds: 2, cause });
}

/**
 * Who is signed in with the cookies of this request, or null.
 * @throws AppError service_unavailable
 */
export async function findSignedIn(context: StaffAuthContext, headers: Headers): Promise<SignedIn | null> {
  if (!headers.get("cookie")) return null;
  const request = { headers: readableHeaders(context, headers) };
  const found = await staffAuth(context).api.getSession(request).catch(explainFailure);
  if (!found) return null;
  const { user, session } = found;
  if (session.createdAt < oldestSession()) {
    await deleteSessions(context.db, { staffId: user.id, id: session.id });
    return null;
  }
  const { id, accountId, email, name } = user;
  const factors = user.twoFactorEnabled ? null : await findSecondFactors(context.db, id);
  const lacksSecondFactor = Boolean(factors?.required && factors.passkeys === 0);
  const signedInAt = session.createdAt;
  return {
    id,
    accountId,
    email,
    name,
    role: user.role as Role,
    language: (user.language ?? null) as Language | null,
    sessionId: session.id,
    signedInAt,
    lacksSecondFactor,
  };
}

const SESSION_COOKIE = /^(?:__Secure-|__Host-)?rollcall\.session_token=/;

/** The same headers without the cookie of a session. */
export function withoutSession(headers: Headers): Headers {
  const others = (headers.get("cookie") ?? "").split(/; */).filter((cookie) => !SESSION_COOKIE.test(cookie));
  const changed = new Headers(headers);
  changed.set("cookie", others.join("; "));
  return changed;
}

/** Ends one session. */
export async function endSessionOf({ db }: StaffAuthContext, { id, sessionId }: SignedIn): Promise<void> {
  await deleteSessions(db, { staffId: id, id: sessionId });
}
