"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { CopyButton } from "../ui/copy";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import styles from "./settings.module.css";

/** Whether the newsletter's sign-up page is on, where it is, and the way to its design. */
export function SignUpState() {
  const { newsletterId, mayEdit } = useViewer();
  const query = api.signUpPage.settings.useQuery({ newsletterId });
  return (
    <Loaded query={query} rows={2}>
      {({ url, settings: { isOn } }) => (
        <>
          {isOn ? (
            <div className={styles.link}>
              <a href={url} target="_blank" rel="noreferrer">
                {url}
              </a>
              <CopyButton value={url}>Copy link</CopyButton>
            </div>
          ) : (
            <p className={kit.quiet}>It is off: nobody can sign up by themselves.</p>
          )}
          <Button component={Link} href={`/n/${newsletterId}/settings/sign-up`} variant="default" mt="sm">
            {mayEdit ? "Design the page and the form" : "See the page and the form"}
          </Button>
        </>
      )}
    </Loaded>
  );
}
