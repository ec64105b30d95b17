"use client";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Mark } from "../ui/icons";
import styles from "../ui/note.module.css";
import { postAuth } from "./post-auth";

/** Sign-in for staff. */
export function SignInForm({ next }: { next: string }) {
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setWrong(null);
    const rejection = await postAuth("sign-in/email", {
      email: form.get("email"),
      password: form.get("password"),
    });
    // A whole new page: nothing that was read before belongs to whoever is signed in now.
    if (!rejection) return window.location.assign(next);
    setWrong(rejection);
    setBusy(false);
  }

  return (
    <main className={styles.note}>
      <span className={styles.mark}>
        <Mark size={28} />
      </span>
      <h1>Sign in to Rollcall</h1>
      <form onSubmit={submit}>
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
        />
        {wrong && (
          <p className={styles.wrong} role="alert">
            {wrong}
          </p>
        )}
        <Button type="submit" loading={busy} fullWidth>
          Sign in
        </Button>
      </form>
      <p>No account yet? An owner of it can send you an invitation.</p>
    </main>
  );
}
