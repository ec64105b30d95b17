/** One fixed window: at most `quota` requests in every `windowSeconds`. */
export type RateWindow = { name: string; quota: number; windowSeconds: number };

/** The windows of a rate limit, shortest first; none when there is no limit. */
export type Policy = readonly RateWindow[];

/** `limit` events within `windowSeconds` lock their subject out for `lockSeconds`. */
export type Lockout = { limit: number; windowSeconds: number; lockSeconds: number };

/**
 * All that is limited, each without a limit: requests of a key; sign-ups of an address, of its network and to a newsletter;
 * a browser's requests, which each process counts for itself.
 */
export const unlimited = {
  ...{ single: [], bulk: [], me: [] },
  ...{ signUp: [], signUpNetwork: [], signUpNewsletter: [] },
  ...{ session: [], address: [] },
};
export type PolicyName = keyof typeof unlimited;
export type Policies = Record<PolicyName, Policy>;

/** `auth`: failed authentications of an address. `errors`: rejected requests of a key. */
export type LockoutName = "auth" | "errors";
/** null: never locked out. */
export type LockoutRules = Record<LockoutName, Lockout | null>;
/** What a lock is on: the caller's address for `auth`, the key's id for `errors`. */
export type LockSubject = { kind: LockoutName; subject: string };

/** One of something for each rule. */
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

/** "m" → 60 s, "10s" → 10 s; undefined when it is no duration of 1 s to 31 days. */
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
 * Reads a rate limit: `60/m,500/h,3000/d` → three windows, shortest first; `10/10s` also; `off` → none.
 * @throws Error whose message says what is wrong and how it is written, to follow a setting's name.
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

/** The limits of sign-ups that follow from that of one address: five for its network, a hundred for a newsletter. */
export function signUpPolicies(policy: Policy) {
  const times = (share: number) => policy.map((window) => ({ ...window, quota: window.quota * share }));
  return { signUp: times(1), signUpNetwork: times(5), signUpNewsletter: times(100) };
}

/**
 * Reads a lockout: `20/10m for 10m` → 20 within 600 s lock out for 600 s; `off` → null.
 * @throws Error whose message says what is wrong and how it is written, to follow a setting's name.
 */
export function parseLockout(text: string): Lockout | null {
  if (text.trim().toLowerCase() === "off") return null;
  const [count = "", lock = "", ...rest] = text.trim().split(/\s+for\s+/);
  const parsed = parseQuota(count);
  const span = parseSpan(lock.trim());
  // Every event of the window is remembered, in memory and in Redis: hence the ceiling.
  if (!parsed || !span || rest.length > 0) throw new Error(`${LOCKOUT_FORM}; "${text.trim()}" is not`);
  if (parsed.quota > 1000) throw new Error("must lock out after at most 1000 events");
  return { limit: parsed.quota, windowSeconds: parsed.span.seconds, lockSeconds: span.seconds };
}
