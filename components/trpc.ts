// components: what the browser runs. Imports server/contract, server/domain and the type of the tRPC router, nothing else of server/.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { httpBatchLink, httpLink, splitLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import superjson from "superjson";
import type { AppRouter } from "@/server/trpc/router";
import { rejectionOf } from "./ui/error-of";

export { messageFor, type Rejection, rejectionOf } from "./ui/error-of";

export const api = createTRPCReact<AppRouter>();
export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** Who is signed out goes to the adapter, and from there back to where they are. */
export function leaveIfSignedOut(error: unknown): void {
  if (rejectionOf(error).code !== "unauthorized") return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}

export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    mutationCache: new MutationCache({
      // After a change all that is on the screen is read again: no mutation has to know who shows what it changes.
      onSuccess: (_data, _variables, _result, mutation) => {
        if (!mutation.meta?.changesNothing) void client.invalidateQueries();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        // An answer that says no will say no again; only silence is asked twice.
        retry: (failures, error) => failures < 2 && rejectionOf(error).code === null,
      },
      mutations: { onError: leaveIfSignedOut, retry: false },
    },
  });
  return client;
}

export function makeApiClient() {
  const way = { url: "/api/trpc", transformer: superjson };
  return api.createClient({
    links: [
      splitLink({
        // What may take longer than the rest says so: `trpc: { context: { apart: true } }`.
        condition: (call) => call.context.apart === true,
        true: httpLink(way),
        false: httpBatchLink({ ...way, maxURLLength: 4000 }),
      }),
    ],
  });
}
