"use client";
import { MantineProvider } from "@mantine/core";
import { useNotifications } from "@mantine/notifications";
import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { makeQueryClient } from "./trpc";
import { icons } from "./ui/icons";
import styles from "./ui/kit.module.css";
import { onDemand } from "./ui/on-demand";
import { useOutage, watchOutages } from "./ui/outage";
import { cssVariablesResolver, themeWith } from "./ui/theme";

// It weighs 8 kB, and no page shows one at first.
const NotificationList = onDemand(() => import("./ui/notification-list"), { isNear: true, texts: [] });

/** The providers of every dashboard page. */
export function Providers({ children, nonce }: { children: ReactNode; nonce: string }) {
  const t = useTranslations("ui");
  const theme = useMemo(() => themeWith(t), [t]);
  const router = useRouter();
  const [queryClient] = useState(() => makeQueryClient(router.refresh));
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <NuqsAdapter>{children}</NuqsAdapter>
        <OutageBar />
        <ShownNotifications />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function ShownNotifications() {
  const { notifications } = useNotifications();
  const [hasShown, setHasShown] = useState(false);
  if (notifications.length > 0 && !hasShown) setHasShown(true);
  return hasShown && <NotificationList />;
}

/** A bar during an outage. It disappears when the outage ends. */
function OutageBar() {
  const t = useTranslations("ui");
  const client = useQueryClient();
  useEffect(() => watchOutages(client), [client]);
  const outage = useOutage();
  if (outage === null) return null;
  return (
    <p role="alert" className={styles.outage}>
      <icons.alert />
      {t(`outage.${outage}`)}
    </p>
  );
}
