"use client";
import { useTranslations } from "use-intl";
import { fixColorScheme } from "../mail/mail-color-scheme";
import { useViewer } from "../shell/viewer";
import { api, type Inputs } from "../trpc";
import { Preview, usePreview } from "../ui/preview";
import { Loading } from "../ui/states";
import styles from "./settings.module.css";

type Props = {
  settings: Inputs["signUpPage"]["preview"]["settings"];
  setErrors(errors: Record<string, string[]>): void;
};

/** Previews the page with the form's current values. */
export function SignUpPreview({ settings, setErrors }: Props) {
  const t = useTranslations("settings.signUp");
  const { newsletterId } = useViewer();
  const { mutate } = api.signUpPage.preview.useMutation({ meta: { changesNothing: true } });
  const { page } = usePreview(mutate, { newsletterId, settings }, setErrors);
  return (
    <Preview looks={["light", "dark"]}>
      {(look) =>
        page ? (
          // The frame has its own style sheet and font. It allows no scripts, clicks or typing.
          <iframe
            className={styles.page}
            title={t("preview")}
            sandbox="allow-same-origin"
            tabIndex={-1}
            srcDoc={fixColorScheme(page.html, look === "dark" ? "dark" : "light").replace(
              "<body>",
              "<body inert>",
            )}
          />
        ) : (
          <Loading rows={6} />
        )
      }
    </Preview>
  );
}
