"use client";
import { Tabs } from "@mantine/core";
import type { Outputs } from "../trpc";
import { Code, CopyButton } from "../ui/copy";
import kit from "../ui/kit.module.css";
import styles from "./settings.module.css";

type Saved = Outputs["signUpPage"]["settings"];

/** The page's address, and the form for other sites. */
export function SignUpLinks({ saved }: { saved: Saved }) {
  const { url, forms } = saved;
  const { isOn } = saved.settings;
  return (
    <section aria-label="Link and form" className={styles.links}>
      <h3>Link</h3>
      <div className={styles.link}>
        {isOn ? (
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        ) : (
          <span className={kit.quiet}>{url}</span>
        )}
        <CopyButton value={url}>Copy link</CopyButton>
      </div>
      {!isOn && <p className={kit.quiet}>Nobody can use it or the forms below before the page is on.</p>}
      <h3>Form for another site</h3>
      <Tabs defaultValue="inline" mt="xs">
        <Tabs.List>
          <Tabs.Tab value="inline">Answers in place</Tabs.Tab>
          <Tabs.Tab value="plain">Without a script</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="inline" pt="sm">
          <p className={kit.quiet}>
            A small script answers below the form. Where it cannot run, the form works as without it.
          </p>
          <Code label="Form that answers in place">{forms.inline}</Code>
        </Tabs.Panel>
        <Tabs.Panel value="plain" pt="sm">
          <p className={kit.quiet}>
            The button leads to the sign-up page, which asks to press once more: that keeps programs out.
          </p>
          <Code label="Form without a script">{forms.plain}</Code>
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
