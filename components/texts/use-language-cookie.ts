import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { type Language, languageCookie } from "@/server/kernel/languages";

const YEAR_SECONDS = 365 * 24 * 3600;

/** Stores the staff member's language in a cookie, which the server can read before authentication. */
export function useLanguageCookie(language: Language | null): void {
  const router = useRouter();
  useEffect(() => {
    const kept = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${languageCookie}=`));
    if ((kept?.split("=")[1] ?? null) === language) return;
    const life = language ? YEAR_SECONDS : 0;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before version 140
    document.cookie = `${languageCookie}=${language ?? ""}; Path=/; SameSite=Lax; Max-Age=${life}`;
    router.refresh();
  }, [language, router]);
}
