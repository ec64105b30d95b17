"use client";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, messageFor, rejectionOf } from "../trpc";
import { Mark } from "../ui/icons";
import styles from "../ui/note.module.css";
import { postAuth } from "./post-auth";

type Invitation = { email: string; role: string; accountName: string };

/** Makes an invited person a staff member and signs them in. */
export function JoinForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const join = api.join.useMutation();
  const [entering, setEntering] = useState(false);
  const rejection = join.error ? rejectionOf(join.error) : null;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get("password"));
    try {
      const { email } = await join.mutateAsync({
        token,
        joining: { name: String(form.get("name")), password },
      });
      setEntering(true);
      await postAuth("sign-in/email", { email, password });
      window.location.assign("/");
    } catch {
      // What it says stands at the fields.
    }
  }

  return (
    <main className={styles.note}>
      <span className={styles.mark}>
        <Mark size={28} />
      </span>
      <h1>Join {invitation.accountName}</h1>
      <p>
        You are invited as {invitation.role === "viewer" ? "a viewer" : `an ${invitation.role}`} and will sign
        in as <b>{invitation.email}</b>.
      </p>
      <form onSubmit={submit} noValidate>
        <TextInput
          name="name"
          label="Your name"
          autoComplete="name"
          error={messageFor(rejection, "name")}
          autoFocus
        />
        <PasswordInput
          name="password"
          label="Password"
          description="At least 10 characters."
          autoComplete="new-password"
          error={messageFor(rejection, "password")}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
        />
        {rejection && Object.keys(rejection.errors).length === 0 && (
          <p className={styles.wrong} role="alert">
            {rejection.message}
          </p>
        )}
        <Button type="submit" loading={join.isPending || entering} fullWidth>
          Join and sign in
        </Button>
      </form>
    </main>
  );
}
