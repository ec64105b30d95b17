"use client";
import { PasswordInput, SimpleGrid } from "@mantine/core";
import { callAuth } from "../sign-in/call-auth";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";

export function PasswordForm() {
  const utils = api.useUtils();
  const form = useServerForm({ currentPassword: "", newPassword: "" }, async (passwords) => {
    await callAuth("change-password", { ...passwords, revokeOtherSessions: true });
    form.reset();
    notify("Password changed. Other sessions are signed out.");
    void utils.sessions.invalidate();
  });
  return (
    <Form form={form} submit="Change password" quiet>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps("currentPassword")}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          {...form.getInputProps("newPassword")}
        />
      </SimpleGrid>
    </Form>
  );
}
