"use client";
import { Button, Modal, Radio, Stack } from "@mantine/core";
import { askedFor, willAsk } from "../mails/mail-words";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";
import { PersonInputs, typedValues } from "./person-fields";

type Props = { onClose(): void; onOpen(id: string): void };

/** Adds one person, or several in turn. */
export default function AddPerson({ onClose, onOpen }: Props) {
  const { newsletterId, sends } = useViewer();
  const add = api.people.add.useMutation();
  const initial = { ...typedValues(), status: "pending" as "pending" | "active" };
  const form = useServerForm(initial, async (person, submitter) => {
    const { id, email } = await add.mutateAsync({ newsletterId, person });
    notify(
      person.status === "pending"
        ? `${email} is added. ${askedFor("A confirmation", sends)}`
        : `${email} is added.`,
    );
    if (submitter === "next") {
      form.setValues(typedValues());
      form.element.current?.querySelector("input")?.focus();
    } else {
      onClose();
      onOpen(id);
    }
  });

  return (
    <Modal opened onClose={onClose} title="Add a person">
      <Form
        form={form}
        submit="Add 1 person"
        atEnd
        actions={
          <Button variant="default" type="submit" value="next" disabled={form.busy}>
            Add and next
          </Button>
        }
      >
        <PersonInputs form={form} />
        <Radio.Group label="Status" {...form.getInputProps("status")}>
          <Stack gap="xs" mt={4}>
            <Radio value="pending" label="Pending" description={willAsk(form.values.email, sends)} />
            <Radio
              value="active"
              label="Active"
              description="On the list at once. Choose this only if they have agreed."
            />
          </Stack>
        </Radio.Group>
      </Form>
    </Modal>
  );
}
