"use client";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Loaded } from "../ui/list-page";
import { CloseNewsletter } from "./close-newsletter";
import { NewsletterForm } from "./newsletter-form";

/** The newsletter's public details, and its archiving and deletion. */
export function NewsletterPage() {
  const t = useTranslations("settings.close");
  const { newsletterId } = useViewer();
  const settings = api.newsletters.settings.useQuery({ newsletterId });
  return (
    <>
      <Loaded query={settings} rows={5}>
        {(found) => <NewsletterForm key={newsletterId} settings={found} />}
      </Loaded>
      <h2 id="close">{t("heading")}</h2>
      <CloseNewsletter />
    </>
  );
}
