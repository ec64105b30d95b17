// components: what the browser runs. Imports server/contract, server/domain and the type of the tRPC router, nothing else of server/.
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { httpBatchLink, TRPCClientError } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import superjson from "superjson";
import type { AppRouter } from "@/server/trpc/router";

export const api = createTRPCReact<AppRouter>();
export type Outputs = inferRouterOutputs<AppRouter>;

/** What a refusal says: a sentence, and messages by field. */
export type Refusal = { message: string; errors: Record<string, string[]>; fault: string | null };

/** Reads whatever a call failed with. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof TRPCClientError && error.data) {
    const data = error.data as { errors?: Record<string, string[]>; fault?: string };
    return { message: error.message, errors: data.errors ?? {}, fault: data.fault ?? null };
  }
  return {
    message: "Rollcall can't be reached. Nothing was changed; check your connection and try again.",
    errors: {},
    fault: null,
  };
}

/** The first message about a field, if there is one. */
export function messageFor(refusal: Refusal | null, field: string): string | undefined {
  return refusal?.errors[field]?.[0];
}

function leaveIfSignedOut(error: unknown): void {
  if (refusalOf(error).fault !== "unauthorized") return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        // An answer that says no will say no again; only silence is asked twice.
        retry: (failures, error) => failures < 2 && refusalOf(error).fault === null,
      },
      mutations: { onError: leaveIfSignedOut, retry: false },
    },
  });
}

export function makeApiClient() {
  return api.createClient({
    links: [httpBatchLink({ url: "/api/trpc", transformer: superjson, maxURLLength: 4000 })],
  });
}
