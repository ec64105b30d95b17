import type { components, operations } from "./openapi.js";

export type { components, operations };

type Schemas = components["schemas"];
export type Subscriber = Schemas["Subscriber"];
export type NewSubscriber = Schemas["NewSubscriber"];
export type SubscriberPatch = Schemas["SubscriberPatch"];
export type Activity = Schemas["Activity"];
export type Asking = Schemas["Asking"];
export type Change = Schemas["Change"];
export type DryRun = Schemas["DryRun"];
export type ExistingSubscriber = Schemas["ExistingSubscriber"];
export type Field = Schemas["Field"];
export type NewField = Schemas["NewField"];
export type FieldPatch = Schemas["FieldPatch"];
export type Import = Schemas["Import"];
export type ImportItem = Schemas["ImportItem"];
export type ImportRow = Schemas["ImportRow"];
export type Consent = NonNullable<Schemas["ImportCommit"]["consent"]>;
export type ItemFault = Schemas["ItemFault"];
export type Links = Schemas["Links"];
export type Me = Schemas["Me"];
export type Newsletter = Schemas["Newsletter"];
export type Segment = Schemas["Segment"];
export type Tag = Schemas["Tag"];
export type Stats = Schemas["Stats"];
export type Suppression = Schemas["Suppression"];
export type NewSuppression = Schemas["NewSuppression"];
export type Webhook = Schemas["Webhook"];
export type NewWebhook = Schemas["NewWebhook"];
export type WebhookPatch = Schemas["WebhookPatch"];
export type WebhookWithSecret = Schemas["WebhookWithSecret"];
export type WebhookTest = Schemas["WebhookTest"];
export type WebhookMessage = Schemas["WebhookMessage"];

type OperationId = keyof operations;
type Success<Id extends OperationId> = operations[Id]["responses"] extends infer Responses
  ? Responses[keyof Responses & (200 | 201 | 202)] extends { content: { "application/json": infer Body } }
    ? Body
    : never
  : never;
type Data<Id extends OperationId> = Success<Id> extends { data: infer Data } ? Data : never;

/** Query parameters. `true` and `false` can be booleans, and `include` can be a list. */
type Loose<Query> = {
  [Name in keyof Query]: Name extends "include"
    ? string | readonly string[]
    : NonNullable<Query[Name]> extends "true" | "false"
      ? boolean | Query[Name]
      : Query[Name];
};
export type Query<Id extends OperationId> = Loose<NonNullable<operations[Id]["parameters"]["query"]>>;

/** The result of a create: that of a dry run, if the query asks for one. */
type CreatedOr<Id extends OperationId, Asked> = Asked extends { dry_run: true | "true" }
  ? DryRun
  : Exclude<Data<Id>, DryRun>;

/** One page of a list. */
export type Page<Id extends OperationId> = Success<Id>;

/** A list that is read while it is iterated, page by page. Making one sends no request. */
export interface List<Id extends OperationId>
  extends AsyncIterable<Data<Id> extends (infer One)[] ? One : never> {
  /** Reads the first page, or the one that the query names. */
  page(): Promise<Page<Id>>;
  /** Reads all pages, as large as possible unless the query has a `limit`. Pages of changes end with an empty page. */
  pages(): AsyncGenerator<Page<Id>, void, undefined>;
}

/** Options of a request. The options of a client are the defaults of its requests. */
export interface RequestOptions {
  /** Ends the request, and waits before a repeat, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The longest silence before the response and between its parts. Default: 60,000. */
  timeoutMs?: number | undefined;
  /** How often a failed request is repeated. Default: 6, over about 15 seconds. */
  maxRetries?: number | undefined;
  /** A longer `Retry-After` throws the error instead. Default: 120. */
  maxWaitSeconds?: number | undefined;
  /** Called with each response, also those that are repeated. Do not read the body. */
  onResponse?: ((response: Response, request: { method: string; url: string }) => void) | undefined;
  /** Called before each wait, for example to log it. */
  onRetry?: ((retry: Retry) => void) | undefined;
}
export interface Retry {
  error: RollcallError;
  /** Counts from 1. */
  attempt: number;
  waitMs: number;
  method: string;
  path: string;
}
export interface CreateOptions extends RequestOptions {
  /** Default: a new UUID for each call. Your own key also covers a repeat after your program was restarted. */
  idempotencyKey?: string | undefined;
}
export interface ClientOptions extends RequestOptions {
  /** The URL of the instance, such as https://list.example.org. */
  url: string | URL;
  /** An API key. The constructor throws without one, so `process.env.ROLLCALL_KEY` is fine. */
  key: string | undefined;
  /** The id of the newsletter, for a key for all newsletters. Default: the newsletter of the key. */
  newsletter?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The result of up to 100 people of `createAll`. Each `index` counts from 0 over all people. */
export interface CreatedBatch<Person = NewSubscriber> {
  created: Subscriber[];
  /** Only with on_duplicate=update. */
  updated: Subscriber[];
  /** Only with on_duplicate=skip or update. */
  skipped: NonNullable<DryRun["skipped"]>;
  /** One entry for each rule that an item breaks. Other people of the batch were created. */
  invalid: (ItemFault & { item: Person })[];
}

export interface FollowOptions extends Omit<Query<"listChanges">, "after"> {
  /** Returns the saved position. Without one, `copy` runs, or the feed starts at the oldest change that is kept. */
  load?: () => string | null | undefined | Promise<string | null | undefined>;
  /** Saves a position, after the changes before it were handled. */
  save?: (position: string) => unknown;
  /**
   * Copies the whole list. It runs without a saved position, and when the position is older than the changes that are
   * kept. Changes during the copy follow after it.
   */
  copy?: () => unknown;
}

export interface RequestAbout {
  query?: Record<string, unknown> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** The operation takes an Idempotency-Key. */
  isCreate?: boolean;
  /** The request may run twice. Default: true, except for POST without `isCreate`. */
  isSafe?: boolean;
  /** The operation is about the key, so its path never names a newsletter. */
  isAboutKey?: boolean;
}

/** A client of one newsletter. People are named by id or email address. */
export class Rollcall {
  constructor(options: ClientOptions);

  /** Sends any request below /api/v1, with the same repeats. @returns the JSON of the response */
  request<Result = unknown>(
    method: string,
    target: string,
    about?: RequestAbout,
    options?: CreateOptions,
  ): Promise<Result>;

  /** Tests the key: its newsletter, permissions, and what is left of each rate limit. */
  me(options?: RequestOptions): Promise<Me>;
  /** The newsletters that the key can use. */
  newsletters(options?: RequestOptions): Promise<Newsletter[]>;
  stats(query?: Query<"getStats">, options?: RequestOptions): Promise<Stats>;
  /** The OpenAPI document. */
  openapi(options?: RequestOptions): Promise<Record<string, unknown>>;

  readonly subscribers: {
    create<Asked extends Query<"createSubscriber">>(
      person: NewSubscriber,
      query?: Asked,
      options?: CreateOptions,
    ): Promise<CreatedOr<"createSubscriber", Asked>>;
    /** Creates 1 to 100 people in one request, all or none. */
    createMany<Asked extends Query<"createSubscribers">>(
      people: readonly NewSubscriber[],
      query?: Asked,
      options?: CreateOptions,
    ): Promise<CreatedOr<"createSubscribers", Asked>>;
    /**
     * Creates any number of people, also of a list that is still being read, with 100 a request. Invalid people are
     * left out and reported. With an `idempotencyKey`, each request adds its number to the key.
     */
    createAll<Person extends NewSubscriber>(
      people: Iterable<Person> | AsyncIterable<Person>,
      query?: Omit<Query<"createSubscribers">, "dry_run">,
      options?: CreateOptions,
    ): AsyncGenerator<CreatedBatch<Person>, void, undefined>;
    list(query?: Query<"listSubscribers">, options?: RequestOptions): List<"listSubscribers">;
    /** Streams the whole list as of one moment. Throws ConnectionError if the stream breaks: start again. */
    stream(query?: StreamQuery, options?: RequestOptions): AsyncGenerator<Subscriber, void, undefined>;
    /** The same stream as CSV, as text in parts of any length. */
    csv(query?: StreamQuery, options?: RequestOptions): AsyncGenerator<string, void, undefined>;
    get(id: string, query?: Query<"getSubscriber">, options?: RequestOptions): Promise<Subscriber>;
    /** Changes the given members (PATCH). */
    update(
      id: string,
      patch: SubscriberPatch,
      query?: Query<"patchSubscriber">,
      options?: RequestOptions,
    ): Promise<Subscriber>;
    /** Sends a record back (PUT). Members that are left out keep their value, too. */
    replace(
      id: string,
      record: SubscriberPatch,
      query?: Query<"updateSubscriber">,
      options?: RequestOptions,
    ): Promise<Subscriber>;
    unsubscribe(
      id: string,
      query?: Omit<Query<"deleteSubscriber">, "erase">,
      options?: RequestOptions,
    ): Promise<Subscriber>;
    /** Deletes the person with all emails and activities. Needs the permission `subscribers:erase`. */
    erase(
      id: string,
      query?: Omit<Query<"deleteSubscriber">, "erase">,
      options?: RequestOptions,
    ): Promise<Subscriber>;
    activity(id: string, query?: Query<"listActivity">, options?: RequestOptions): List<"listActivity">;
    resendConfirmation(id: string, options?: RequestOptions): Promise<Asking>;
    links(id: string, options?: RequestOptions): Promise<Links>;
    /** The links of 1 to 1,000 ids. */
    linksOf(ids: readonly string[], options?: RequestOptions): Promise<Data<"linkSubscribers">>;
  };

  readonly changes: {
    /** The changes until now. */
    list(query?: Query<"listChanges">, options?: RequestOptions): List<"listChanges">;
    /** The current position of the feed. */
    position(options?: RequestOptions): Promise<string>;
    /**
     * Follows the feed until the signal aborts, also through outages. A page's position is saved when the loop asks for
     * the next change after it. After a crash, changes since the saved position come again.
     */
    follow(how?: FollowOptions, options?: RequestOptions): AsyncGenerator<Change, void, undefined>;
  };

  readonly fields: {
    list(options?: RequestOptions): Promise<Field[]>;
    create(field: NewField, options?: RequestOptions): Promise<Field>;
    update(key: string, patch: FieldPatch, options?: RequestOptions): Promise<Field>;
    delete(key: string, options?: RequestOptions): Promise<Field>;
  };

  readonly tags: {
    list(options?: RequestOptions): Promise<Tag[]>;
    /** Renames a tag, or merges it into the tag that has the name. */
    update(name: string, patch: { name: string }, options?: RequestOptions): Promise<Data<"updateTag">>;
    delete(name: string, options?: RequestOptions): Promise<Data<"deleteTag">>;
  };

  readonly imports: {
    /** Compares up to 100,000 people with the newsletter. It changes nothing. */
    plan(
      people: readonly ImportItem[],
      query?: Query<"createImport">,
      options?: RequestOptions,
    ): Promise<Import>;
    get(id: string, options?: RequestOptions): Promise<Import>;
    /** The result of each row. */
    rows(id: string, query?: Query<"listImportRows">, options?: RequestOptions): List<"listImportRows">;
    /** Starts to add the people of a plan. @param consent null if the plan adds only unsubscribed people */
    commit(
      plan: Pick<Import, "id" | "digest">,
      consent: Consent | null,
      options?: RequestOptions,
    ): Promise<Import>;
    /** Starts to remove the people that an import added. */
    undo(id: string, query?: Query<"undoImport">, options?: RequestOptions): Promise<Import>;
    /** Deletes a plan, or cancels a running import. */
    cancel(id: string, options?: RequestOptions): Promise<Import>;
    /** Waits until an import, or its undo, has ended. `state` tells how. */
    ended(id: string, options?: RequestOptions): Promise<Import>;
  };

  readonly segments: { list(options?: RequestOptions): Promise<Segment[]> };

  readonly suppressions: {
    list(query?: Query<"listSuppressions">, options?: RequestOptions): List<"listSuppressions">;
    /** Suppresses 1 to 100 addresses in one request, all or none. */
    create(suppressions: readonly NewSuppression[], options?: CreateOptions): Promise<Suppression[]>;
    delete(id: string, options?: RequestOptions): Promise<Suppression>;
  };

  readonly webhooks: {
    list(options?: RequestOptions): Promise<Webhook[]>;
    create(webhook: NewWebhook, options?: CreateOptions): Promise<WebhookWithSecret>;
    get(id: string, options?: RequestOptions): Promise<Webhook>;
    update(id: string, patch: WebhookPatch, options?: RequestOptions): Promise<Webhook>;
    delete(id: string, options?: RequestOptions): Promise<Webhook>;
    test(id: string, options?: RequestOptions): Promise<WebhookTest>;
    rotateSecret(id: string, options?: RequestOptions): Promise<WebhookWithSecret>;
    messages(
      id: string,
      query?: Query<"listWebhookMessages">,
      options?: RequestOptions,
    ): List<"listWebhookMessages">;
    retry(id: string, number: number, options?: RequestOptions): Promise<WebhookMessage>;
  };
}

export type StreamQuery = Omit<Query<"listSubscribers">, "limit" | "cursor" | "page">;

/** Splits a list, also one that is still being read, into arrays of `size`. */
export function batches<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[], void, undefined>;

/** The error codes of the API. */
export type ErrorCode =
  | "validation_error"
  | "email_already_subscribed"
  | "email_suppressed"
  | "unauthorized"
  | "api_access_disabled"
  | "api_module_access_disabled"
  | "not_found"
  | "method_not_allowed"
  | "idempotency_conflict"
  | "payload_too_large"
  | "unsupported_media_type"
  | "idempotency_key_reused"
  | "rate_limit_exceeded"
  | "internal_error"
  | "service_unavailable";
/** The client's own codes, for what no response of the API describes. */
export type ClientCode = "connection_failed" | "timeout" | "unexpected_response" | "invalid_signature";

/** The base of all errors of this client. Later versions of the API can have more codes. */
export class RollcallError extends Error {
  constructor(
    code: string,
    message: string,
    about?: { status?: number; headers?: Headers; body?: object; cause?: unknown },
  );
  readonly code: ErrorCode | ClientCode | (string & {});
  /** 0 without a response. */
  readonly status: number;
  /** The X-Request-Id, under which the operator finds the request in the log. */
  readonly requestId: string | null;
  /** Seconds to wait before a repeat. */
  readonly retryAfter: number | null;
  /** Messages by field. */
  readonly errors: Record<string, string[]>;
  /** The names in `errors`. */
  readonly fields: string[];
  /** The first of `fields`. */
  readonly field: string | null;
  /** The invalid items of a bulk request. */
  readonly items: ItemFault[];
  /** Only of AlreadySubscribedError: the subscriber who has the address. */
  readonly subscriber: ExistingSubscriber | null;
  /** A link to what the code means. */
  readonly docs: string | null;
}
/** The request breaks a rule. `fields`, `errors` and `items` say which. */
export class ValidationError extends RollcallError {}
/** The address is on the list. `subscriber` has the id and status. */
export class AlreadySubscribedError extends RollcallError {
  override readonly subscriber: ExistingSubscriber;
}
/** The address opted out, bounced or was suppressed. Leave it out. */
export class SuppressedError extends RollcallError {}
/** The key is wrong, revoked or expired. */
export class UnauthorizedError extends RollcallError {}
/** The key lacks the permission, or API access is off. */
export class ForbiddenError extends RollcallError {}
export class NotFoundError extends RollcallError {}
/** The idempotency key belongs to another request, or to one that is still running after all repeats. */
export class IdempotencyError extends RollcallError {}
/** A rate limit is exceeded, also after all repeats. Wait `retryAfter` seconds. */
export class RateLimitError extends RollcallError {}
/** Rollcall or its database failed, also after all repeats. */
export class UnavailableError extends RollcallError {}
/** No response arrived: the connection failed, broke or timed out. A change may have been made. */
export class ConnectionError extends RollcallError {}
/** A webhook message is not signed with the secret, or is too old. */
export class WebhookSignatureError extends RollcallError {}

/** The class of each error code of the API. */
export const errorClasses: Record<ErrorCode, typeof RollcallError>;

type Event<Type extends Webhook["events"][number] | "test", Data> = {
  type: Type;
  timestamp: string;
  /** Counts from 1 for each webhook, without gaps. A test has 0. */
  number: number;
  data: Data;
};
/** A message of a webhook. */
export type WebhookEvent =
  | Event<
      "subscriber.created" | "subscriber.updated" | "subscriber.confirmed" | "subscriber.unsubscribed",
      { subscriber: Subscriber } | { subscriber_id: string }
    >
  | Event<"subscriber.erased", { subscriber_id: string }>
  | Event<"subscriber.bounced", { subscriber: Subscriber; reason: string } | { subscriber_id: string }>
  | Event<"subscriber.complained", { subscriber: Subscriber } | { subscriber_id: string }>
  | Event<"import.finished", { import: { id: string; number: number; added: number; unsubscribed: number } }>
  | Event<"test", Record<string, unknown>>;

/**
 * Checks the signature of a webhook message by Standard Webhooks, and parses the message.
 * @param body the raw body, as text or bytes
 * @param headers `Headers`, or the `headers` of a request in Node.js
 * @throws WebhookSignatureError; TypeError without a secret
 */
export function verifyWebhook(
  body: string | ArrayBuffer | ArrayBufferView,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string | undefined,
  options?: { toleranceSeconds?: number },
): Promise<WebhookEvent>;
