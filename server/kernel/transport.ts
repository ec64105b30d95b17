import { LOOPBACK } from "./ip-address";

/** The connections to other machines that ALLOW_PLAINTEXT can exempt from encryption. */
const plaintextParts = ["database", "redis", "smtp"] as const;
type PlaintextPart = (typeof plaintextParts)[number];

type Addresses = {
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
  REDIS_URL?: string | undefined;
  UPSTASH_REDIS_REST_URL?: string | undefined;
};

/** Parses "database,redis". @throws Error whose message follows the setting's name */
export function parsePlaintext(text: string): PlaintextPart[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !plaintextParts.some((part) => part === name));
  if (unknown !== undefined)
    throw new Error(
      `must be database, redis, smtp, or several separated by commas; "${unknown}" is none of them`,
    );
  return names as PlaintextPart[];
}

/** Whether a connection string stays on this machine: loopback, or a socket's folder. Follows pg's rules. */
function isLocal(url: URL, host = url.hostname): boolean {
  const name = decodeURIComponent(host);
  return name === "" || name.startsWith("/") || LOOPBACK.test(name);
}

/** Whether pg encrypts the connection and verifies the server's certificate. */
function isVerified(parameters: Record<string, string>): boolean {
  const { sslmode, ssl, uselibpqcompat } = parameters;
  if (uselibpqcompat === "true") return /^verify-(?:ca|full)$/.test(sslmode ?? "");
  return sslmode === undefined
    ? /^(?:true|1)$/.test(ssl ?? "")
    : /^(?:require|verify-ca|verify-full)$/.test(sslmode);
}

/** Returns a sentence for each connection to another machine that would be unencrypted and is not allowed to be. */
export function plaintextProblems(addresses: Addresses, allowed: readonly PlaintextPart[]): string[] {
  const problems: string[] = [];
  const complain = (name: keyof Addresses, host: string, fix: string, part: PlaintextPart) => {
    if (allowed.includes(part)) return;
    problems.push(
      `  ${name}: ${host} is another machine, and the connection is not encrypted. ${fix} ` +
        `If the connection stays in your own network, such as between containers, set ALLOW_PLAINTEXT=${[...allowed, part].join(",")}`,
    );
  };
  const { REDIS_URL, UPSTASH_REDIS_REST_URL } = addresses;
  for (const name of ["DATABASE_URL", "DATABASE_DIRECT_URL"] as const) {
    if (!addresses[name]) continue;
    const url = new URL(addresses[name]);
    const parameters = Object.fromEntries(url.searchParams);
    const host = parameters.host ?? url.hostname;
    const fix = "Add sslmode=verify-full to its query (with sslrootcert=FILE for a certificate of your own).";
    if (!isLocal(url, host) && !isVerified(parameters)) complain(name, host, fix, "database");
  }
  if (REDIS_URL?.startsWith("redis:")) {
    const url = new URL(REDIS_URL);
    if (!isLocal(url)) complain("REDIS_URL", url.hostname, "Start it with rediss://.", "redis");
  }
  if (UPSTASH_REDIS_REST_URL?.startsWith("http:")) {
    const url = new URL(UPSTASH_REDIS_REST_URL);
    if (!isLocal(url)) complain("UPSTASH_REDIS_REST_URL", url.hostname, "Start it with https://.", "redis");
  }
  return problems;
}
