import { hkdfSync } from "node:crypto";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import type { AppContext } from "../app";
import { insertAudit } from "../db/audit";
import { newId } from "../domain/ids";
import { isOurOrigin } from "./same-origin";

const DAY_SECONDS = 24 * 60 * 60;

/** The header in which our own route tells the library where a request comes from; see staff-handler.ts. */
export const CALLER_HEADER = "x-rollcall-staff-address";

/** A person who is signed in, as far as deciding what they may do needs it. */
export type SignedIn = {
  id: string;
  accountId: string;
  email: string;
  name: string;
  role: "owner" | "editor" | "viewer";
  sessionId: string;
};

function open(app: AppContext) {
  const { db, appUrl, authSecret } = app;
  return betterAuth({
    appName: "Rollcall",
    baseURL: appUrl,
    basePath: "/api/auth",
    // A key of its own, so that nothing sealed with AUTH_SECRET elsewhere can pass for a session.
    secret: Buffer.from(hkdfSync("sha256", authSecret, "", "rollcall staff sessions", 32)).toString(
      "base64url",
    ),
    database: prismaAdapter(db, { provider: "postgresql" }),
    // The instance may be reached by more names than APP_URL; what counts is that page and request share one.
    trustedOrigins: (request) => {
      const origin = request?.headers.get("origin");
      return origin && request && isOurOrigin(request, appUrl) ? [appUrl, origin] : [appUrl];
    },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    user: {
      modelName: "staffMember",
      additionalFields: {
        accountId: { type: "string", required: true, input: false },
        role: { type: "string", required: true, input: false },
      },
    },
    session: {
      modelName: "staffSession",
      fields: { userId: "staffId" },
      expiresIn: 30 * DAY_SECONDS,
      updateAge: DAY_SECONDS,
    },
    account: { modelName: "staffCredential", fields: { userId: "staffId", accountId: "providerAccountId" } },
    verification: { modelName: "staffVerification" },
    // staff-handler.ts counts failures with the limiter that all processes share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: "rollcall",
      useSecureCookies: appUrl.startsWith("https:"),
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [CALLER_HEADER] },
    },
    databaseHooks: {
      session: {
        create: {
          after: async (session) => {
            const staff = await db.staffMember.findUnique({ where: { id: session.userId } });
            await insertAudit(db, {
              accountId: staff?.accountId ?? null,
              actorKind: "staff",
              actorId: session.userId,
              action: "staff.signed_in",
              subjectId: session.userId,
              address: session.ipAddress || null,
            });
          },
        },
      },
    },
    logger: { level: "error", log: (_level, message) => app.log.warn({ from: "better-auth" }, message) },
  });
}

type StaffAuth = ReturnType<typeof open>;
const opened = new WeakMap<AppContext, StaffAuth>();

/** Staff sign-in on this app. The library costs 0.1 s to start, so it waits for the first who asks. */
export function staffAuth(app: AppContext): StaffAuth {
  let auth = opened.get(app);
  if (!auth) {
    auth = open(app);
    opened.set(app, auth);
  }
  return auth;
}

/** Who is signed in with the cookies of this request, or null. */
export async function findSignedIn(app: AppContext, headers: Headers): Promise<SignedIn | null> {
  if (!headers.get("cookie")) return null;
  const found = await staffAuth(app).api.getSession({ headers });
  if (!found) return null;
  const { user, session } = found;
  return {
    id: user.id,
    accountId: user.accountId,
    email: user.email,
    name: user.name,
    role: user.role as SignedIn["role"],
    sessionId: session.id,
  };
}
