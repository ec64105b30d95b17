// The JavaScript client of Rollcall. It needs fetch and Web Crypto only, so it runs in Node.js, Deno, Bun and workers.

/** The base of all errors of this client. `code` is the API's, or one of the client's own for what no response of the API describes. */
export class RollcallError extends Error {
  constructor(code, message, { status = 0, headers, body = {}, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.requestId = headers?.get("x-request-id") ?? null;
    this.retryAfter = retryAfterOf(headers);
    // With a 429, `errors` is a number of seconds.
    this.errors = Object.fromEntries(
      Object.entries(body.errors ?? {}).filter(([, one]) => Array.isArray(one)),
    );
    this.fields = Object.keys(this.errors);
    this.field = this.fields[0] ?? null;
    this.items = body.items ?? [];
    this.subscriber = body.subscriber ?? null;
    this.docs = body.docs ?? null;
  }
}
/** The request breaks a rule. `fields`, `errors` and `items` say which. */
export class ValidationError extends RollcallError {}
/** The address is on the list. `subscriber` has the id and status. */
export class AlreadySubscribedError extends RollcallError {}
/** The address opted out, bounced or was suppressed. Leave it out. */
export class SuppressedError extends RollcallError {}
/** The key is wrong, revoked or expired. */
export class UnauthorizedError extends RollcallError {}
/** The key lacks the permission, or API access is off. */
export class ForbiddenError extends RollcallError {}
export class NotFoundError extends RollcallError {}
/** The idempotency key belongs to another request, or to one that is still running after all retries. */
export class IdempotencyError extends RollcallError {}
/** A rate limit is exceeded. Wait `retryAfter` seconds. */
export class RateLimitError extends RollcallError {}
/** Rollcall or its database failed, also after all retries. */
export class UnavailableError extends RollcallError {}
/** No response arrived: the connection failed, broke or timed out. A change may have been made. */
export class ConnectionError extends RollcallError {}
/** A webhook message is not signed with the secret, or is too old. */
export class WebhookSignatureError extends RollcallError {}

/** The class of each error code of the API. */
export const errorClasses = {
  validation_error: ValidationError,
  email_already_subscribed: AlreadySubscribedError,
  email_suppressed: SuppressedError,
  unauthorized: UnauthorizedError,
  api_access_disabled: ForbiddenError,
  api_module_access_disabled: ForbiddenError,
  not_found: NotFoundError,
  method_not_allowed: RollcallError,
  idempotency_conflict: IdempotencyError,
  payload_too_large: RollcallError,
  unsupported_media_type: RollcallError,
  idempotency_key_reused: IdempotencyError,
  rate_limit_exceeded: RateLimitError,
  internal_error: UnavailableError,
  service_unavailable: UnavailableError,
};

/** Seconds of a Retry-After header, which is a number or a date; null without one. */
function retryAfterOf(headers) {
  const value = headers?.get("retry-after");
  if (!value) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** @param text the body */
function errorOf({ status, headers }, text) {
  const body = jsonOf(text);
  const Class = Object.hasOwn(errorClasses, body?.code) ? errorClasses[body.code] : RollcallError;
  if (typeof body?.code === "string") return new Class(body.code, body.message, { status, headers, body });
  const place = headers.get("location");
  const message = place
    ? `The URL redirects to ${place}. Use the final URL of Rollcall.`
    : `The response with status ${status} is not Rollcall's: ${text.slice(0, 100)}`;
  return new RollcallError("unexpected_response", message, { status, headers });
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Statuses that a repeat can change. 502 and 504 come from proxies. */
const repeated = new Set([408, 409, 429, 500, 502, 503, 504]);

/** Whether a repeat can succeed and does nothing twice. A request over a rate limit did nothing. */
const canRepeat = (error, isSafe) =>
  error.status === 429 || (isSafe && (error instanceof ConnectionError || repeated.has(error.status)));

const longestBackoffMs = 30_000;
/** A longer timer fires at once. A minute is left for jitter. */
const longestTimerMs = 2 ** 31 - 60_000;

/** Milliseconds before a repeat: the server's wish, or twice as long each time. Jitter spreads clients apart. */
function pauseMs({ retryAfter }, attempt) {
  const backoffMs = Math.min(longestBackoffMs, 250 * 2 ** attempt);
  const least = retryAfter === null ? backoffMs / 2 : Math.min(retryAfter * 1000, longestTimerMs);
  return least + (backoffMs / 2) * Math.random();
}

function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** A signal that aborts with the caller's, and when `within` takes longer than the timeout. */
function deadline(timeoutMs, outer) {
  const controller = new AbortController();
  const stop = () => controller.abort(outer.reason);
  if (outer?.aborted) stop();
  else outer?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    /** Awaits a step of a request. @throws ConnectionError */
    async within(step) {
      const late = new ConnectionError("timeout", `No response arrived within ${timeoutMs / 1000} seconds.`);
      const timer = setTimeout(() => controller.abort(late), timeoutMs);
      try {
        return await step();
      } catch (cause) {
        if (controller.signal.aborted) throw controller.signal.reason;
        const reason = cause.cause?.message || cause.message;
        throw new ConnectionError("connection_failed", `The connection failed: ${reason}`, { cause });
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => outer?.removeEventListener("abort", stop),
  };
}

/** Writes query parameters. Lists are joined by commas, and objects become `name[key]=value`. */
function searchOf(query) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    if (typeof value === "object" && !Array.isArray(value))
      for (const [key, one] of Object.entries(value)) params.append(`${name}[${key}]`, one);
    else params.append(name, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

/** A list that is read while it is iterated: with no `limit`, in the largest pages. Making one sends no request. */
function listOf(read, query, limit) {
  async function* pages() {
    for (let next = { limit, ...query }; next; ) {
      const page = await read(next);
      yield page;
      const { next: after, next_cursor: cursor } = page.pagination;
      // The change feed has no last page, so it ends at an empty one.
      if (after !== undefined) next = page.data.length > 0 && { ...next, after };
      else next = cursor !== null && { ...next, page: undefined, cursor };
    }
  }
  async function* records() {
    for await (const { data } of pages()) yield* data;
  }
  return { page: () => read(query), pages, [Symbol.asyncIterator]: records };
}

/** Splits a list, also one that is still being read, into arrays of `size`. */
export async function* batches(items, size) {
  let batch = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Builds a path from values that may have any characters. */
const path = (texts, ...values) =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));

const defaults = { timeoutMs: 60_000, maxRetries: 6, maxWaitSeconds: 120 };
const given = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

export class Rollcall {
  #url;
  #newsletter;
  #key;
  #options;

  /** @param options `url` of the instance, `key` and `newsletter`; further options are defaults of each request */
  constructor({ url, key, newsletter, fetch = globalThis.fetch, ...options }) {
    if (!/^[\x21-\x7e]+$/.test(key ?? "")) throw new TypeError("key must be an API key, such as sk_….");
    this.#url = new URL(url).href.replace(/\/+$/, "");
    this.#newsletter = newsletter === undefined ? "" : path`/newsletters/${newsletter}`;
    this.#key = key;
    this.#options = { ...defaults, ...given(options), fetch };
  }

  /**
   * Sends a request, and repeats it after failures. The methods below call this one; use it for later operations.
   * @param about `isSafe`: the request may run twice; `isCreate`: it takes an idempotency key; `isAboutKey`: its path
   * never names a newsletter
   * @returns the JSON of the response; with `accept` the response itself
   */
  async request(method, target, about = {}, more = {}) {
    const { query, body, accept, isCreate = false, isSafe = isCreate || method !== "POST" } = about;
    const newsletter = about.isAboutKey ? "" : this.#newsletter;
    const options = { ...this.#options, ...given(more) };
    const call = {
      url: `${this.#url}/api/v1${newsletter}${target}${searchOf(query)}`,
      method,
      accept,
      body: body === undefined ? undefined : JSON.stringify(body),
      // A repeat of this call has the same key, so it creates nothing twice.
      idempotencyKey: isCreate ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined,
      timeoutMs: options.timeoutMs + (query?.wait ?? 0) * 1000,
    };
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(call, options);
      } catch (error) {
        const isOver = options.signal?.aborted || attempt >= options.maxRetries;
        if (isOver || !(error instanceof RollcallError) || !canRepeat(error, isSafe)) throw error;
        if ((error.retryAfter ?? 0) > options.maxWaitSeconds) throw error;
        const waitMs = pauseMs(error, attempt);
        options.onRetry?.({ error, attempt: attempt + 1, waitMs, method, path: target });
        await sleep(waitMs, options.signal);
      }
    }
  }

  async #attempt({ url, method, body, accept, idempotencyKey, timeoutMs }, { fetch, signal, onResponse }) {
    const { within, end, signal: either } = deadline(timeoutMs, signal);
    const headers = {
      Authorization: `Bearer ${this.#key}`,
      Accept: accept ?? "application/json",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    };
    try {
      // A followed redirect could turn a POST into a GET.
      const init = { method, headers, body, signal: either, redirect: "manual" };
      const response = await within(() => fetch(url, init));
      onResponse?.(response, { method, url });
      if (accept && response.ok) return { body: response.body, within, end };
      const text = await within(() => response.text());
      const json = response.ok ? jsonOf(text) : undefined;
      if (json === undefined) throw errorOf(response, text);
      end();
      return json;
    } catch (error) {
      end();
      throw error;
    }
  }

  async #data(...call) {
    return (await this.request(...call)).data;
  }

  #list(target, query, options, limit = 100) {
    return listOf((page) => this.request("GET", target, { query: page }, options), query, limit);
  }

  /** The whole list as of one moment, as text that arrives in parts. Repeated only before the first part. */
  async *#stream(accept, query, options) {
    const call = await this.request("GET", "/subscribers", { query, accept }, options);
    const reader = call.body.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await call.within(() => reader.read());
        const text = decoder.decode(value, { stream: !done });
        if (text !== "") yield text;
        if (done) return;
      }
    } finally {
      call.end();
      // After a `break`, the rest is not needed. After an error, there is no rest.
      await reader.cancel().catch(() => {});
    }
  }

  async *#records(query, options) {
    let rest = "";
    for await (const text of this.#stream("application/x-ndjson", query, options)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) yield JSON.parse(line);
    }
    if (rest !== "")
      throw new ConnectionError("connection_failed", "The stream ended in the middle of a record.");
  }

  /** Creates any number of people, 100 a request. Invalid ones are left out and reported by their index. */
  async *#createAll(people, query, options = {}) {
    let before = 0;
    let number = 0;
    for await (const batch of batches(people, 100)) {
      let rest = batch.map((person, index) => ({ person, index: before + index }));
      const result = { created: [], updated: [], skipped: [], invalid: [] };
      const place = (one) => ({ ...one, index: rest[one.index].index });
      while (rest.length > 0) {
        const key = options.idempotencyKey && `${options.idempotencyKey}-${++number}`;
        try {
          const body = rest.map(({ person }) => person);
          const data = await this.subscribers.createMany(body, query, { ...options, idempotencyKey: key });
          yield { ...result, ...data, skipped: (data.skipped ?? []).map(place) };
          break;
        } catch (error) {
          if (!(error instanceof ValidationError) || error.items.length === 0) throw error;
          const left = new Set(error.items.map(({ index }) => index));
          for (const item of error.items)
            result.invalid.push({ ...place(item), item: rest[item.index].person });
          rest = rest.filter((_, index) => !left.has(index));
          if (rest.length === 0) yield result;
        }
      }
      before += batch.length;
    }
  }

  /** Follows the feed without end. Each page's position is saved after its last change was handled. */
  async *#follow({ load, save, copy, wait = 30, ...query } = {}, options = {}) {
    const begin = async () => {
      const position = await this.changes.position(options);
      await copy();
      await save?.(position);
      return position;
    };
    let after = (await load?.()) ?? undefined;
    if (after === undefined && copy) after = await begin();
    // A wrong URL or key shows at the first request. Later outages end some time.
    const patience = { ...options };
    while (!options.signal?.aborted) {
      let page;
      try {
        const about = { query: { limit: 100, ...query, after, wait } };
        page = await this.request("GET", "/changes", about, patience);
      } catch (error) {
        if (options.signal?.aborted) return;
        if (!copy || !(error instanceof ValidationError) || !error.errors.after) throw error;
        after = await begin();
        continue;
      }
      yield* page.data;
      patience.maxRetries = patience.maxWaitSeconds = Number.POSITIVE_INFINITY;
      if (page.pagination.next !== after) await save?.(page.pagination.next);
      after = page.pagination.next;
    }
  }

  /** Waits until an import, or its undo, has ended. */
  async #ended(id, options = {}) {
    for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      const found = await this.imports.get(id, options);
      if (!["running", "undoing"].includes(found.state)) return found;
      await sleep(pauseMs, options.signal);
    }
  }

  me = (options) => this.#data("GET", "/me", { isAboutKey: true }, options);
  newsletters = (options) => this.#data("GET", "/newsletters", { isAboutKey: true }, options);
  stats = (query, options) => this.#data("GET", "/stats", { query }, options);
  openapi = (options) => this.request("GET", "/openapi.json", { isAboutKey: true }, options);

  subscribers = {
    create: (body, query, options) =>
      this.#data("POST", "/subscribers", { query, body, isCreate: true }, options),
    createMany: (body, query, options) =>
      this.#data("POST", "/subscribers/bulk", { query, body, isCreate: true }, options),
    createAll: (people, query, options) => this.#createAll(people, query, options),
    list: (query, options) => this.#list("/subscribers", query, options, 1000),
    stream: (query, options) => this.#records(query, options),
    csv: (query, options) => this.#stream("text/csv", query, options),
    get: (id, query, options) => this.#data("GET", path`/subscribers/${id}`, { query }, options),
    update: (id, body, query, options) =>
      this.#data("PATCH", path`/subscribers/${id}`, { query, body }, options),
    replace: (id, body, query, options) =>
      this.#data("PUT", path`/subscribers/${id}`, { query, body }, options),
    unsubscribe: (id, query, options) => this.#data("DELETE", path`/subscribers/${id}`, { query }, options),
    erase: (id, query, options) =>
      this.#data("DELETE", path`/subscribers/${id}`, { query: { ...query, erase: true } }, options),
    activity: (id, query, options) => this.#list(path`/subscribers/${id}/activity`, query, options),
    // Each person receives at most one confirmation email a minute, so a repeat is harmless.
    resendConfirmation: (id, options) =>
      this.#data("POST", path`/subscribers/${id}/confirmation`, { isSafe: true }, options),
    links: (id, options) => this.#data("POST", path`/subscribers/${id}/links`, { isSafe: true }, options),
    linksOf: (body, options) => this.#data("POST", "/subscribers/links", { body, isSafe: true }, options),
  };

  changes = {
    list: (query, options) => this.#list("/changes", query, options),
    follow: (how, options) => this.#follow(how, options),
    position: async (options) => {
      const { pagination } = await this.request("GET", "/changes", { query: { after: "now" } }, options);
      return pagination.next;
    },
  };

  fields = {
    list: (options) => this.#data("GET", "/fields", {}, options),
    create: (body, options) => this.#data("POST", "/fields", { body }, options),
    update: (key, body, options) => this.#data("PUT", path`/fields/${key}`, { body }, options),
    delete: (key, options) => this.#data("DELETE", path`/fields/${key}`, {}, options),
  };

  tags = {
    list: (options) => this.#data("GET", "/tags", {}, options),
    update: (name, body, options) => this.#data("PATCH", path`/tags/${name}`, { body }, options),
    delete: (name, options) => this.#data("DELETE", path`/tags/${name}`, {}, options),
  };

  imports = {
    // A repeat makes a second plan, which changes nothing.
    plan: (body, query, options) => this.#data("POST", "/imports", { query, body, isSafe: true }, options),
    get: (id, options) => this.#data("GET", path`/imports/${id}`, {}, options),
    rows: (id, query, options) => this.#list(path`/imports/${id}/rows`, query, options, 1000),
    // An import starts once, however often it is committed.
    commit: ({ id, digest }, consent, options) =>
      this.#data("POST", path`/imports/${id}/commit`, { body: { digest, consent }, isSafe: true }, options),
    undo: (id, query, options) => this.#data("POST", path`/imports/${id}/undo`, { query }, options),
    cancel: (id, options) => this.#data("DELETE", path`/imports/${id}`, {}, options),
    ended: (id, options) => this.#ended(id, options),
  };

  segments = { list: (options) => this.#data("GET", "/segments", {}, options) };

  suppressions = {
    list: (query, options) => this.#list("/suppressions", query, options),
    create: (body, options) => this.#data("POST", "/suppressions", { body, isCreate: true }, options),
    delete: (id, options) => this.#data("DELETE", path`/suppressions/${id}`, {}, options),
  };

  webhooks = {
    list: (options) => this.#data("GET", "/webhooks", {}, options),
    create: (body, options) => this.#data("POST", "/webhooks", { body, isCreate: true }, options),
    get: (id, options) => this.#data("GET", path`/webhooks/${id}`, {}, options),
    update: (id, body, options) => this.#data("PUT", path`/webhooks/${id}`, { body }, options),
    delete: (id, options) => this.#data("DELETE", path`/webhooks/${id}`, {}, options),
    test: (id, options) => this.#data("POST", path`/webhooks/${id}/test`, {}, options),
    rotateSecret: (id, options) => this.#data("POST", path`/webhooks/${id}/secret`, {}, options),
    messages: (id, query, options) => this.#list(path`/webhooks/${id}/messages`, query, options),
    retry: (id, number, options) =>
      this.#data("POST", path`/webhooks/${id}/messages/${number}/retry`, {}, options),
  };
}

/** Reads a header of `Headers` or of Node's `request.headers`. */
function headerOf(headers, name) {
  if (typeof headers.get === "function") return headers.get(name) ?? "";
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  return String(headers[key] ?? "");
}

/** @returns null for what is no Base64 */
function bytesOf(text) {
  try {
    return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * Checks the signature of a webhook message by Standard Webhooks, and parses the message.
 * @param body the raw body: text, or bytes
 * @throws WebhookSignatureError
 */
export async function verifyWebhook(body, headers, secret, { toleranceSeconds = 300 } = {}) {
  const [id, time, signatures] = ["id", "timestamp", "signature"].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  const refuse = (why) => new WebhookSignatureError("invalid_signature", why);
  if (!id || !signatures) throw refuse("The webhook headers are missing.");
  if (!(Math.abs(Date.now() / 1000 - Number(time || Number.NaN)) <= toleranceSeconds))
    throw refuse(`The message is not from the last ${toleranceSeconds} seconds.`);
  const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const keyBytes = secret ? bytesOf(secret.replace(/^whsec_/, "")) : null;
  if (!keyBytes) throw new TypeError("secret must be the webhook's secret, which starts with whsec_.");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", keyBytes, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  for (const one of signatures.split(" ")) {
    const given = one.startsWith("v1,") && bytesOf(one.slice(3));
    if (given && (await crypto.subtle.verify("HMAC", key, given, signed))) return JSON.parse(text);
  }
  throw refuse("No signature of the message is by this secret.");
}
