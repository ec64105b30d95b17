import {
  MutationCache,
  QueryCache,
  QueryClient,
  type UseInfiniteQueryOptions,
  type UseMutationOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import {
  createTRPCClient,
  getUntypedClient,
  httpBatchLink,
  httpLink,
  splitLink,
  type TRPCLink,
  type TRPCRequestOptions,
} from "@trpc/client";
import { type CreateTRPCReact, getMutationKey, getQueryKey } from "@trpc/react-query";
import { createReactDecoration, createReactQueryUtils } from "@trpc/react-query/shared";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { useMemo } from "react";
import { maxCallsInRequest, transformer } from "@/server/kernel/trpc-transformer";
import type { AppRouter } from "@/server/trpc/router";
import { requireRecentSignIn, watchSignIns } from "./sign-in/who-it-is";
import { isConflictError, rejectionOf } from "./ui/error-of";
import { retryQuery } from "./ui/outage";
import { hasUnsaved } from "./ui/unsaved";

export { messageFor, type Rejection, rejectionOf } from "./ui/error-of";

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/**
 * Redirects signed-out staff to the sign-in page, which leads back to the current page. Staff without a required second
 * factor go to its setup page.
 */
export function leaveIfSignedOut(error: unknown): void {
  const { code } = rejectionOf(error);
  const here = window.location.pathname + window.location.search;
  if (code === "unauthorized") window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
  if (code === "second_factor_missing") window.location.assign("/second-factor");
}

/** Fetches all visible data again. A first fetch that is under way may be from before the change, so it starts again. */
export async function fetchAgain(client: QueryClient): Promise<void> {
  await client.cancelQueries({ predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries();
}

/** Options of a mutation that only reads: the visible queries are not fetched again. */
export const changesNothing = { meta: { changesNothing: true } };
/** Options of a mutation that changes what the frame around the page shows. The server renders the frame again. */
export const changesFrame = { meta: { changesFrame: true } };

/** @param renderAgain lets the server render the frame again */
export function makeQueryClient(renderAgain = () => {}): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    mutationCache: new MutationCache({
      // By default a mutation refetches all visible queries, so it needs no list of affected screens.
      onSuccess: (_data, _variables, _result, mutation) => {
        if (!mutation.meta?.changesNothing) void fetchAgain(client);
        if (mutation.meta?.changesFrame) renderAgain();
      },
      onError(error) {
        leaveIfSignedOut(error);
        // The page and an open form then show the other person's version.
        if (isConflictError(error)) void fetchAgain(client);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        retry: retryQuery,
      },
      // Offline, a mutation fails at once with a message. A paused mutation would run later and surprise staff.
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}

/**
 * If the server requires a recent sign-in, the staff member signs in again and the call is repeated. So it is if the session
 * is over while a form has unsaved changes, which the sign-in page would lose. Calls that began before this sign-in and
 * arrived after it are repeated, too.
 */
const afterSignInAgain: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let call: Unsubscribable | undefined;
      const begin = () => {
        const hasSignedIn = watchSignIns();
        call = next(op).subscribe({
          ...observer,
          async error(error) {
            const { code } = rejectionOf(error);
            const isRepeated =
              (code === "sign_in_again" && (await requireRecentSignIn())) ||
              (code === "unauthorized" &&
                ((await hasSignedIn()) || (hasUnsaved() && (await requireRecentSignIn()))));
            if (isRepeated) begin();
            else observer.error(error);
          },
        });
      };
      begin();
      return () => call?.unsubscribe();
    });

export function makeApiClient() {
  const link = { url: "/api/trpc", transformer };
  return createTRPCClient<AppRouter>({
    links: [
      afterSignInAgain,
      splitLink({
        // Slow calls get a separate request: `trpc: { context: { apart: true } }`.
        condition: (call) => call.context.apart === true,
        true: httpLink(link),
        false: httpBatchLink({ ...link, maxURLLength: 4000, maxItems: maxCallsInRequest }),
      }),
    ],
  });
}

const calls = getUntypedClient(makeApiClient());

type Options = { trpc?: TRPCRequestOptions };
type Path = string[];

/** A procedure, as tRPC's functions for keys take it. */
const procedureAt = (path: Path) => ({ _def: () => ({ path }) }) as never;
const keyOf = (path: Path, ...inputAndType: [input: unknown, type: "query" | "infinite"]) =>
  (getQueryKey as unknown as (...of: unknown[]) => unknown[])(procedureAt(path), ...inputAndType);

/** tRPC's hooks, without those for subscriptions, suspense and rendering on the server, which weigh 4 kB. */
const hooks = {
  useQuery: (path: Path, input: unknown, options: Options & Partial<UseQueryOptions>) =>
    useQuery({
      ...options,
      queryKey: keyOf(path, input, "query"),
      queryFn: () => calls.query(path.join("."), input, options.trpc),
    }),
  useInfiniteQuery: (path: Path, input: object, options: Options & UseInfiniteQueryOptions) =>
    useInfiniteQuery({
      ...options,
      initialPageParam: null,
      queryKey: keyOf(path, input, "infinite"),
      queryFn: ({ pageParam: cursor }) =>
        calls.query(path.join("."), { ...input, ...(cursor !== null && { cursor }) }, options.trpc),
    }),
  useMutation: (path: Path, options: Options & UseMutationOptions = {}) =>
    useMutation({
      ...options,
      mutationKey: getMutationKey(procedureAt(path)),
      mutationFn: (input) => calls.mutation(path.join("."), input, options.trpc),
    }),
};

/** tRPC's utilities that the dashboard uses: `fetch`, `prefetch`, `invalidate`, `getData` and `setData`. */
function utilitiesOf(queries: QueryClient) {
  const withFunction = (queryKey: unknown[], options: Options = {}) => {
    const [path, given] = queryKey as [Path, { input?: unknown }?];
    return { ...options, queryKey, queryFn: () => calls.query(path.join("."), given?.input, options.trpc) };
  };
  return createReactQueryUtils<AppRouter, unknown>({
    client: calls,
    fetchQuery: (key: unknown[], options?: Options) => queries.fetchQuery(withFunction(key, options)),
    prefetchQuery: (key: unknown[], options?: Options) => queries.prefetchQuery(withFunction(key, options)),
    invalidateQueries: (queryKey: unknown[], filters?: object) =>
      queries.invalidateQueries({ ...filters, queryKey }),
    getQueryData: (key: unknown[]) => queries.getQueryData(key),
    setQueryData: (key: unknown[], data: unknown) => queries.setQueryData(key, data),
  } as never);
}

type Api = Omit<
  CreateTRPCReact<AppRouter, unknown>,
  "Provider" | "createClient" | "useContext" | "useQueries" | "useSuspenseQueries"
>;
const procedures = createReactDecoration(hooks as never) as Api;

function useUtils() {
  const queries = useQueryClient();
  return useMemo(() => utilitiesOf(queries), [queries]);
}

/** The procedures with hooks, as tRPC types them: `api.people.page.useQuery(…)`, and `api.useUtils()`. */
export const api = new Proxy({} as Api, {
  get: (_, name) => (name === "useUtils" ? useUtils : procedures[name as keyof Api]),
});
