"use client";
import { PasswordInput, TextInput } from "@mantine/core";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";
import { callAuth } from "./call-auth";

type Props = { token: string; invitation: { email: string; role: string; accountName: string } };

/** Makes an invited person a staff member and signs them in. */
export function JoinForm({ token, invitation: { email, role, accountName } }: Props) {
  const join = api.join.useMutation();
  const form = useServerForm({ name: "", password: "" }, async (joining) => {
    await join.mutateAsync({ token, joining });
    // Without a session the start page asks for a sign-in.
    await callAuth("sign-in/email", { email, password: joining.password }).catch(() => null);
    window.location.assign("/");
  });
  return (
    <Note title={`Join ${accountName}`} withMark>
      <p>
        You are invited as {role === "viewer" ? "a viewer" : `an ${role}`} and will sign in as <b>{email}</b>.
      </p>
      <Form form={form} submit="Join and sign in">
        <TextInput label="Your name" autoComplete="name" autoFocus {...form.getInputProps("name")} />
        <PasswordInput
          label="Password"
          description="At least 10 characters."
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
      </Form>
    </Note>
  );
}
