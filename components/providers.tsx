"use client";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { api, makeApiClient, makeQueryClient } from "./trpc";
import { OutageBar } from "./ui/outage-bar";
import { cssVariablesResolver, themeWith } from "./ui/theme";

/** The providers of every dashboard page. */
export function Providers({ children, nonce }: { children: ReactNode; nonce: string }) {
  const t = useTranslations("ui");
  const theme = useMemo(() => themeWith(t), [t]);
  const [queryClient] = useState(makeQueryClient);
  const [apiClient] = useState(makeApiClient);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <api.Provider client={apiClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <NuqsAdapter>{children}</NuqsAdapter>
          <OutageBar />
          <Notifications position="bottom-right" autoClose={6000} limit={3} />
        </QueryClientProvider>
      </api.Provider>
    </MantineProvider>
  );
}
