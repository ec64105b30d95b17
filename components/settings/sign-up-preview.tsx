"use client";
import { SegmentedControl, useComputedColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { fixColorScheme } from "../mail/mail-color-scheme";
import { useViewer } from "../shell/viewer";
import { api, type Inputs, rejectionOf } from "../trpc";
import { Loading } from "../ui/states";
import styles from "./settings.module.css";

type Settings = Inputs["signUpPage"]["preview"]["settings"];

const looks = ["light", "dark"] as const;

type Props = { settings: Settings; setErrors(errors: Record<string, string[]>): void };

/** Previews the page with the form's current values. The previous preview stays until the next arrives. */
export function SignUpPreview({ settings, setErrors }: Props) {
  const t = useTranslations("settings.signUp.preview");
  const { newsletterId } = useViewer();
  const scheme = useComputedColorScheme("light");
  const [chosen, setLook] = useState<string | null>(null);
  const [html, setHtml] = useState<string>();
  const { mutate } = api.signUpPage.preview.useMutation({ meta: { changesNothing: true } });
  // Compared as text: the form creates a new object of the same settings at each render.
  const [settled] = useDebouncedValue(JSON.stringify(settings), 250);
  useEffect(
    () =>
      mutate(
        { newsletterId, settings: JSON.parse(settled) as Settings },
        {
          onSuccess: (page) => setHtml(page.html),
          onError: (error) => setErrors(rejectionOf(error).errors),
        },
      ),
    [settled, newsletterId, mutate, setErrors],
  );
  const look = chosen ?? scheme;
  return (
    <section aria-label={t("region")} className={styles.preview}>
      <SegmentedControl
        data={looks.map((value) => ({ value, label: t(`looks.${value}`) }))}
        value={look}
        onChange={setLook}
        size="xs"
        aria-label={t("options")}
      />
      {html === undefined ? (
        <Loading rows={6} />
      ) : (
        // The frame has its own style sheet and font. It allows no scripts, clicks or typing.
        <iframe
          className={styles.page}
          title={t("page")}
          sandbox="allow-same-origin"
          tabIndex={-1}
          srcDoc={fixColorScheme(html, look === "dark" ? "dark" : "light").replace("<body>", "<body inert>")}
        />
      )}
    </section>
  );
}
