import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { Confirm } from "../ui/confirm";
import { forgetUnsaved, hasUnsaved, setQuestion } from "../ui/unsaved";

/**
 * Asks before a page with unsaved changes is left by a link, a key, ⌘K or closing the tab. Each page with `useUnsaved`
 * needs one.
 */
export function LeaveGuard() {
  const t = useTranslations("shell.leave");
  const router = useRouter();
  const [go, setGo] = useState<(() => void) | null>(null);

  useEffect(() => {
    const ask = (next: () => void) => setGo(() => next);
    const onClick = (event: MouseEvent) => {
      const url = hasUnsaved() ? addressLeftFor(event) : null;
      if (!url) return;
      // The listener stops the click before React and Next see it.
      event.preventDefault();
      event.stopPropagation();
      const isOfDashboard = url.origin === window.location.origin && url.pathname.startsWith("/n/");
      ask(() => (isOfDashboard ? router.push(url.href) : window.location.assign(url)));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      // The browser shows its own question.
      if (hasUnsaved()) event.preventDefault();
    };
    setQuestion(ask);
    window.addEventListener("click", onClick, true);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      setQuestion(null);
      window.removeEventListener("click", onClick, true);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [router]);

  if (!go) return null;
  const answer = (isLeaving: boolean) => {
    setGo(null);
    if (!isLeaving) return;
    forgetUnsaved();
    go();
  };
  return (
    <Confirm
      title={t("title")}
      action={t("leave")}
      cancel={t("stay")}
      danger
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      <p>{t("text")}</p>
    </Confirm>
  );
}

/** The address that a click opens in this tab; null if the page stays. */
function addressLeftFor(event: MouseEvent): URL | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return null;
  if (link.target !== "" && link.target !== "_self") return null;
  const url = new URL(link.href);
  if (!/^https?:$/.test(url.protocol)) return null;
  const { origin, pathname } = window.location;
  return url.origin === origin && url.pathname === pathname ? null : url;
}
