"use client";
import { Anchor, Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { Form, Problem, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";

type Props = { person: Outputs["people"]["get"]["person"]; onClose(): void };

/** Changes a person; when somebody else has changed them meanwhile nothing is saved, and it says so. */
export function PersonForm({ person, onClose }: Props) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const change = api.people.change.useMutation();
  const [conflict, setConflict] = useState<string | null>(null);
  const { id, version, email, name, status } = person;
  const form = useServerForm({ email, name, status }, async (values) => {
    const patch = {
      ...(values.email !== email && { email: values.email }),
      ...(values.name !== name && { name: values.name }),
      ...(values.status !== status && { status: values.status as "active" | "pending" }),
    };
    if (Object.keys(patch).length > 0) {
      try {
        await change.mutateAsync({ newsletterId, id, version, patch });
      } catch (error) {
        const clash = messageFor(rejectionOf(error), "version");
        if (!clash) throw error;
        return setConflict(clash);
      }
      notify("Saved.");
    }
    onClose();
  });

  async function reload() {
    await utils.people.get.invalidate({ newsletterId, id });
    onClose();
  }

  return (
    <Form
      form={form}
      submit="Save"
      atEnd
      actions={
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <TextInput type="email" label="Email" autoFocus mt="lg" {...form.getInputProps("email")} />
      <TextInput label="Name" {...form.getInputProps("name")} />
      <NativeSelect
        label="Status"
        data={[
          // Nobody makes a person active again who has unsubscribed: only their own confirmation does.
          status === "unsubscribed"
            ? { value: "unsubscribed", label: "Unsubscribed" }
            : { value: "active", label: "Active" },
          { value: "pending", label: "Pending: ask them by mail" },
        ]}
        {...form.getInputProps("status")}
      />
      {conflict && (
        <Problem>
          {conflict}{" "}
          <Anchor component="button" type="button" fz="sm" onClick={reload}>
            Show it
          </Anchor>
        </Problem>
      )}
    </Form>
  );
}
