/** A fixed window: at most `quota` requests per `windowSeconds`. */
export type RateWindow = { name: string; quota: number; windowSeconds: number };

/** The windows of a rate limit, shortest first; empty: no limit. */
export type Policy = readonly RateWindow[];

/** `limit` events within `windowSeconds` lock their subject out for `lockSeconds`. */
export type Lockout = { limit: number; windowSeconds: number; lockSeconds: number };

/**
 * All rate limits, each set to no limit: requests of a key; sign-ups of an address, of its network and to a newsletter;
 * browser requests, which each process counts for itself.
 */
export const unlimited = {
  ...{ read: [], write: [], bulk: [], stream: [], me: [] },
  ...{ signUp: [], signUpNetwork: [], signUpNewsletter: [] },
  ...{ session: [], address: [] },
};
export type PolicyName = keyof typeof unlimited;
export type Policies = Record<PolicyName, Policy>;

/** `auth`: wrong keys from an address. `signIn`: failed sign-ins from an address. `errors`: rejected requests of a key. */
export type LockoutName = "auth" | "signIn" | "errors";
/** null: no lockout. */
export type LockoutRules = Record<LockoutName, Lockout | null>;
/** The locked subject: the key's id for `errors`, else the caller's address. */
export type LockSubject = { kind: LockoutName; subject: string };

/** Makes one value for each rule. */
export const forEachRule = <Name extends string, Rule, Made>(
  rules: Record<Name, Rule>,
  make: (rule: Rule, name: Name) => Made,
) =>
  Object.fromEntries(
    (Object.entries(rules) as [Name, Rule][]).map(([name, rule]) => [name, make(rule, name)]),
  ) as Record<Name, Made>;

const UNITS: Record<string, { seconds: number; name: string }> = {
  s: { seconds: 1, name: "second" },
  m: { seconds: 60, name: "minute" },
  h: { seconds: 3600, name: "hour" },
  d: { seconds: 86_400, name: "day" },
};
const MAX_SECONDS = 31 * 86_400;
const MAX_QUOTA = 1_000_000_000;
const POLICY_FORM =
  "must be quotas such as 60/m,500/h,3000/d (windows: s, m, h, d, or a number of them such as 10s or 15m), or off";
const LOCKOUT_FORM =
  "must be such as 20/10m for 10m (that many within that time lock out for that long; units s, m, h, d), or off";

type Span = { seconds: number; name: string };

/** Parses "m" → 60 s, "10s" → 10 s; undefined for anything but 1 s to 31 days. */
function parseSpan(text: string): Span | undefined {
  const match = /^(\d{1,7})?([smhd])$/.exec(text);
  const unit = match && UNITS[match[2] as string];
  if (!unit) return undefined;
  const count = Number(match[1] ?? 1);
  const seconds = count * unit.seconds;
  if (seconds < 1 || seconds > MAX_SECONDS) return undefined;
  return { seconds, name: count === 1 ? unit.name : `${count}${match[2]}` };
}

function parseQuota(text: string): { quota: number; span: Span } | undefined {
  const match = /^(\d{1,10})\s*\/\s*(\w+)$/.exec(text.trim());
  const span = match && parseSpan(match[2] as string);
  const quota = Number(match?.[1]);
  return span && quota >= 1 && quota <= MAX_QUOTA ? { quota, span } : undefined;
}

/**
 * Parses a rate limit: `60/m,500/h,3000/d` → three windows, shortest first; also `10/10s`; `off` → none.
 * @throws Error whose message follows a setting's name and describes the problem and the format
 */
export function parsePolicy(text: string): Policy {
  if (text.trim().toLowerCase() === "off") return [];
  const windows = text.split(",").map((part) => {
    const parsed = parseQuota(part);
    if (!parsed) throw new Error(`${POLICY_FORM}; "${part.trim()}" is not one`);
    return { name: parsed.span.name, quota: parsed.quota, windowSeconds: parsed.span.seconds };
  });
  windows.sort((a, b) => a.windowSeconds - b.windowSeconds);
  const twice = windows.find((window, i) => window.windowSeconds === windows[i - 1]?.windowSeconds);
  if (twice) throw new Error(`must name each window once; two of ${twice.windowSeconds} seconds were given`);
  return windows;
}

/**
 * Derives the sign-up limits from the limit of an address: 5 times as many for its network, 100 times for a newsletter.
 */
export function signUpPolicies(policy: Policy) {
  const times = (share: number) => policy.map((window) => ({ ...window, quota: window.quota * share }));
  return { signUp: times(1), signUpNetwork: times(5), signUpNewsletter: times(100) };
}

/**
 * Parses a lockout: `20/10m for 10m` → 20 within 600 s lock out for 600 s; `off` → null.
 * @throws Error whose message follows a setting's name and describes the problem and the format
 */
export function parseLockout(text: string): Lockout | null {
  if (text.trim().toLowerCase() === "off") return null;
  const [count = "", lock = "", ...rest] = text.trim().split(/\s+for\s+/);
  const parsed = parseQuota(count);
  const span = parseSpan(lock.trim());
  // Memory and Redis store every event of the window, hence the limit.
  if (!parsed || !span || rest.length > 0) throw new Error(`${LOCKOUT_FORM}; "${text.trim()}" is not`);
  if (parsed.quota > 1000) throw new Error("must lock out after at most 1000 events");
  return { limit: parsed.quota, windowSeconds: parsed.span.seconds, lockSeconds: span.seconds };
}
