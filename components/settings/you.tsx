"use client";
import { Button, PasswordInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { postAuth } from "../sign-in/post-auth";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Loading } from "../ui/states";
import { Time } from "../ui/time";
import styles from "./settings.module.css";

const toggle = { "aria-label": "Show or hide the password", tabIndex: 0 };

export function PasswordForm() {
  const utils = api.useUtils();
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    setBusy(true);
    const rejection = await postAuth("change-password", {
      currentPassword: data.get("current"),
      newPassword: data.get("new"),
      revokeOtherSessions: true,
    });
    setBusy(false);
    setWrong(rejection);
    if (rejection) return;
    form.reset();
    notify("The password is changed. Other sessions are signed out.");
    void utils.sessions.invalidate();
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.pair}>
        <PasswordInput
          name="current"
          label="Current password"
          autoComplete="current-password"
          visibilityToggleButtonProps={toggle}
        />
        <PasswordInput
          name="new"
          label="New password"
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
        />
      </div>
      {wrong && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      <div>
        <Button type="submit" variant="default" loading={busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}

/** A browser and system by the name people know. */
function device(userAgent: string | null): string {
  const agent = userAgent ?? "";
  const browser = /Edg\//.test(agent)
    ? "Edge"
    : /Firefox\//.test(agent)
      ? "Firefox"
      : /Chrome\//.test(agent)
        ? "Chrome"
        : /Safari\//.test(agent)
          ? "Safari"
          : "A browser";
  const system = /iPhone|iPad/.test(agent)
    ? "iOS"
    : /Android/.test(agent)
      ? "Android"
      : /Mac OS X/.test(agent)
        ? "macOS"
        : /Windows/.test(agent)
          ? "Windows"
          : /Linux/.test(agent)
            ? "Linux"
            : "";
  return system ? `${browser} on ${system}` : browser;
}

export function Sessions() {
  const utils = api.useUtils();
  const list = api.sessions.list.useQuery();
  const options = {
    onSuccess: () => {
      notify("Signed out there.");
      void utils.sessions.invalidate();
    },
    onError: notifyError,
  };
  const end = api.sessions.end.useMutation(options);
  const endOthers = api.sessions.endOthers.useMutation(options);
  if (!list.data) return <Loading rows={2} />;
  return (
    <>
      <h3 className={styles.sub}>Where you are signed in</h3>
      <ul className={styles.rows}>
        {list.data.map((session) => (
          <li key={session.id}>
            <span className={styles.main}>
              <b>{device(session.userAgent)}</b>
              <span className={styles.quiet}>
                {session.ipAddress || "unknown address"} · since <Time at={session.createdAt} />
              </span>
            </span>
            {session.current ? (
              <span className={styles.quiet}>this one</span>
            ) : (
              <Button variant="default" onClick={() => end.mutate({ id: session.id })}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {list.data.length > 1 && (
        <Button variant="default" mt="md" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          Sign out everywhere else
        </Button>
      )}
    </>
  );
}
