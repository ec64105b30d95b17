import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { httpBatchLink, httpLink, splitLink, type TRPCLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { maxCallsInRequest, transformer } from "@/server/kernel/trpc-transformer";
import type { AppRouter } from "@/server/trpc/router";
import { requireRecentSignIn, watchSignIns } from "./sign-in/who-it-is";
import { isConflictError, rejectionOf } from "./ui/error-of";
import { retryQuery } from "./ui/outage";
import { hasUnsaved } from "./ui/unsaved";

export { messageFor, type Rejection, rejectionOf } from "./ui/error-of";

export const api = createTRPCReact<AppRouter>();
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

export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    mutationCache: new MutationCache({
      // By default a mutation refetches all visible queries, so it needs no list of affected screens.
      onSuccess: (_data, _variables, _result, mutation) => {
        if (!mutation.meta?.changesNothing) void fetchAgain(client);
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
  return api.createClient({
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
