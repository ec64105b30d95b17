// Requests made from the OpenAPI document, most of them broken in some way.
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { Question } from "../contract/client";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as any program would read it
type Loose = any;

type Keys = { full: string; readOnly: string; writeOnly: string; revoked: string };
/** Ids of people, suppressions, webhooks and imports that exist. */
type KnownIds = Record<"people" | "suppressions" | "webhooks" | "imports", readonly string[]>;
/** The digest of the imports that exist. */
export const KNOWN_DIGEST = "known";
/** `sent` is the body as JSON, unless it was broken on the way. */
export type FuzzQuestion = Question & { method: string; path: string; sent?: unknown };

const UNKNOWN = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";
const JUNK = [
  ...["", " ", "0", "-1", "1e9", "NaN", "null", "true", "undefined", "9".repeat(400), "x".repeat(5_000)],
  ...["\u0000", "a\u0000b", "\ud800", "\udfff\ud800", "\u202e\u200b\ufeff", "😀".repeat(70), "ﷺ".repeat(64)],
  ...["../../etc/passwd", "'; DROP TABLE subscribers; --", "<script>alert(1)</script>", "%00%ff%"],
  ...["\r\nX-Injected: 1", "__proto__", "constructor", "e\u0301".repeat(200), "=?utf-8?q?a?=@example.org"],
  ...['"a b"@example.org', "a@[127.0.0.1]", "a@xn--a.example", "a@exa\u00admple.org", "@".repeat(500)],
  ...[`${"a".repeat(65)}@example.org`, `a@${"b".repeat(64)}.org`, `a@${"b.".repeat(130)}org`],
];
const PATHS = [
  ...["", "/", "/nope", "//subscribers", "/SUBSCRIBERS", "/subscribers;a=b", "/__proto__", "/./me", "/me/x"],
  ...["/", "/bulk/x", "/%00", "/%", "/../me", "/__proto__", "/{id}", `/${UNKNOWN}/x`].map(
    (path) => `/subscribers${path}`,
  ),
  `/${"x".repeat(4_000)}`,
].map((path) => `/api/v1${path}`);
const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PROPFIND", "PURGE"];

const junk = fc.constantFrom(...JUNK);
const anything = fc.oneof(junk, fc.jsonValue({ maxDepth: 2 }), fc.dictionary(junk, junk, { maxKeys: 3 }));
const field = fc.nat(29).map((n) => `field_${n}`);
/** Of people that exist. Requests give people tags named as in `text`, too, and rename tags to these. */
const tag = () =>
  fc.oneof(
    fc.nat(29).map((n) => `tag_${n}`),
    text,
  );
const mostly = <T, B>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<B>, percent = 4): fc.Arbitrary<T | B> =>
  fc.oneof({ weight: 100 - percent, arbitrary: right }, { weight: percent, arbitrary: wrong });
const sometimes = <T>(arbitrary: fc.Arbitrary<T>, percent: number) =>
  mostly(fc.constant(undefined), arbitrary, percent);
/** Like encodeURIComponent, for lone surrogates too. */
const encode = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));

const email = fc
  .tuple(
    fc.constantFrom("", "", " "),
    fc.constantFrom("ada", "A.B", "o'neil", "x+y", "ünï", "1"),
    fc.nat(50_000),
    fc.constantFrom("example.org", "Example.ORG", "bücher.example", "例え.jp", "sub.domain.example.com"),
  )
  .map(([space, name, n, domain]) => `${space}${name}${n}@${domain}`);
const text = mostly(
  fc.constantFrom("Ada Lovelace", "Plato", "山田 太郎", "Zoe\u0308", "O'Neil  III", "null"),
  junk,
  5,
);

/** Values that a schema of the document allows; now and then one that it does not. */
function valuesOf(document: Loose, schema: Loose, name = "", wrong = 4): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    const referred = document.components.schemas[schema.$ref.split("/").at(-1)];
    return valuesOf(document, referred, name, wrong);
  }
  return mostly(allowedBy(document, schema, name, wrong), anything, wrong);
}

function allowedBy(document: Loose, schema: Loose, name: string, wrong: number): fc.Arbitrary<unknown> {
  const { type, required = [], properties = {}, minItems = 0, maxItems = 5, minimum = 0 } = schema;
  if (Array.isArray(type))
    return fc.oneof(...type.map((one: string) => allowedBy(document, { ...schema, type: one }, name, wrong)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((one: Loose) => valuesOf(document, one, name, wrong)));
  // Keys of fields that exist, or that an earlier request created or deleted.
  if (name === "key") return mostly(field, junk, 10);
  if (name === "include") return fc.constantFrom("fields", "tags", "fields,tags");
  if (name === "email") return email;
  if (name === "digest") return mostly(fc.constant(KNOWN_DIGEST), junk, 10);
  if (name === "url") return mostly(fc.constant("http://127.0.0.1:9/"), junk, 20);
  if (type === "object") {
    const members = Object.entries<Loose>(properties).map(([key, inner]) => {
      return [key, valuesOf(document, inner, key, wrong)];
    });
    const extra = fc.dictionary(fc.constantFrom("extra", "id", "constructor", ""), anything, { maxKeys: 1 });
    const known = fc.record(Object.fromEntries(members), { requiredKeys: required });
    return mostly(
      known,
      fc.tuple(known, extra).map(([one, more]) => ({ ...(one as object), ...more })),
    );
  }
  if (type === "array") {
    // Otherwise almost no bulk would be valid.
    const items = valuesOf(document, schema.items, name, 1);
    const few = fc.array(items, { minLength: minItems, maxLength: Math.min(5, maxItems) });
    const odd = items.chain((one) =>
      fc.constantFrom([], Array(maxItems).fill(one), Array(maxItems + 1).fill(one)),
    );
    return mostly(few, odd, 2);
  }
  if (type === "integer")
    return fc.integer({ min: minimum, max: Math.min(minimum + 200, schema.maximum + 2 || 200) });
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (schema.format === "uuid") return fc.constant(UNKNOWN);
  if (schema.format === "date-time")
    return fc.constantFrom("2024-03-02T09:30:00+00:00", "2024-03-02T09:30:00Z", "9999-01-01T00:00:00Z", "");
  return text;
}

function queriesOf(document: Loose, parameters: Loose[]): fc.Arbitrary<string> {
  const parts = parameters
    .filter((one) => one.in === "query")
    .map(({ name, schema }) => {
      const value = mostly(
        valuesOf(document, schema, name).map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
        junk,
        20,
      );
      const pair =
        schema.type === "object"
          ? fc.tuple(field, fc.oneof(fc.constantFrom("", "Print", "3"), junk))
          : fc.tuple(fc.constant(""), value);
      const written = pair.map(([key, one]) => `${name}${key && `[${key}]`}=${encode(one)}`);
      return sometimes(
        mostly(
          written,
          written.map((one) => `${one}&${one}`),
        ),
        35,
      );
    });
  const broken = fc.constantFrom("x=1", "status", "&&&", "=", "limit[]=1", "%=%", "page=%zz", "a=b=c");
  return fc.tuple(...parts, sometimes(broken, 5)).map((all) => {
    const given = all.filter((one) => one !== undefined);
    return given.length > 0 ? `?${given.join("&")}` : "";
  });
}

/** A body in bytes that are not its JSON. */
const brokenBodies: fc.Arbitrary<(text: string) => string | Uint8Array> = fc.oneof(
  fc.nat(100).map((percent) => (text: string) => text.slice(0, (text.length * percent) / 100)),
  fc
    .constantFrom<BufferEncoding>("utf16le", "latin1")
    .map((encoding) => (text: string) => Buffer.from(text, encoding)),
  fc.constant((text: string) => `\ufeff${text}`),
  fc.constant((text: string) => gzipSync(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => () => bytes),
  fc.constantFrom(10, 1_000, 100_000).map((depth) => () => "[".repeat(depth) + "]".repeat(depth)),
  fc
    .constantFrom(524_287, 524_288, 524_289, 1_000_000)
    .map((size) => (text: string) => text.padEnd(size, " ")),
);

const headersOf = (keys: Keys) =>
  fc
    .record({
      Authorization: mostly(
        mostly(
          fc.constant(keys.full),
          fc.constantFrom(keys.readOnly, keys.writeOnly, keys.revoked, `${keys.full}x`, "sk_", "é", ""),
          20,
        ).map((key) => `Bearer ${key}`),
        fc.constantFrom(undefined, keys.full, `Basic ${keys.full}`, "Bearer"),
      ),
      "Idempotency-Key": sometimes(
        fc.constantFrom("k1", "k2", "", "é", "x".repeat(255), "x".repeat(256), "a\tb"),
        15,
      ),
      "X-Request-Id": sometimes(fc.constantFrom("mine-1", "", "a b", "é", "x".repeat(129)), 10),
      "Content-Type": sometimes(
        fc.constantFrom(
          "application/json; charset=utf-8",
          "text/plain",
          "application/json; charset=latin1",
          "",
          "é",
        ),
        5,
      ),
      "Content-Encoding": sometimes(fc.constantFrom("gzip", "identity", "br", ""), 4),
      Range: sometimes(fc.constant("bytes=0-1"), 2),
      "X-HTTP-Method-Override": sometimes(fc.constant("DELETE"), 2),
    })
    .map((all) =>
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    .map((all): Record<string, string> => Object.fromEntries(all));

/** Questions to all operations alike. */
export function questionsOf(document: Loose, keys: Keys, ids: KnownIds): fc.Arbitrary<FuzzQuestion> {
  const operations = Object.entries<Loose>(document.paths).flatMap(([template, verbs]) =>
    Object.entries<Loose>(verbs).map(([verb, operation]) => {
      const schema = operation.requestBody?.content["application/json"].schema;
      const noun = (["suppressions", "webhooks", "imports"] as const).find((one) =>
        template.includes(`/${one}/`),
      );
      const known = ids[noun ?? "people"];
      // There are few webhooks. The first half stays for the other operations.
      const id = verb === "delete" && noun === "webhooks" ? known.slice(known.length / 2) : known;
      const odd = fc.oneof(fc.constantFrom(UNKNOWN, "x", "1", "ada%40example.org", "@"), junk.map(encode));
      const path = fc
        .tuple(
          mostly(fc.constantFrom(...id), odd, 20),
          field,
          mostly(tag().map(encode), odd, 20),
          mostly(fc.integer({ min: 1, max: 5 }).map(String), odd, 20),
          queriesOf(document, operation.parameters ?? []),
        )
        .map(
          ([one, key, name, number, query]) =>
            template
              .replace("{id}", one)
              .replace("{key}", key)
              .replace("{name}", name)
              .replace("{number}", number) + query,
        );
      const body = schema ? valuesOf(document, schema) : sometimes(anything, 5);
      return fc
        .record({
          method: mostly(fc.constant(verb.toUpperCase()), fc.constantFrom(...METHODS), 6),
          path: mostly(path, fc.constantFrom(...PATHS), 6),
          headers: headersOf(keys),
          body: mostly(body, fc.constant(undefined), 2),
          spoil: sometimes(brokenBodies, 20),
          chunked: fc.nat(9).map((n) => n === 0),
        })
        .map(({ body, spoil, chunked, ...rest }): FuzzQuestion => {
          if (body === undefined) return rest;
          const json = JSON.stringify(body);
          if (spoil) return { ...rest, chunked, raw: spoil(json) };
          return { ...rest, chunked, raw: json, sent: JSON.parse(json) };
        });
    }),
  );
  return fc.oneof(...operations);
}
