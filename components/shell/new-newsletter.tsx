"use client";
import { TextInput } from "@mantine/core";
import { api } from "../trpc";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";

/** Asks for the name of another newsletter, and goes there. */
export default function NewNewsletter({ onClose }: { onClose(): void }) {
  const create = api.newsletters.create.useMutation();
  const form = useServerForm({ name: "" }, async (values) => {
    const { id } = await create.mutateAsync(values);
    // The whole frame knows the newsletters by name: it is read again.
    window.location.assign(`/n/${id}`);
  });
  return (
    <Dialog onClose={onClose} title="New newsletter">
      <Form form={form} submit="Create newsletter">
        <TextInput
          label="Name"
          description="Subscribers see this name in the confirmation email."
          data-autofocus
          {...form.getInputProps("name")}
        />
      </Form>
    </Dialog>
  );
}
