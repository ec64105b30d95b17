"use client";
import { Button, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { askedFor, willAsk } from "../mails/mail-words";
import { useViewer } from "../shell/viewer";
import { api, messageFor, rejectionOf } from "../trpc";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";
import { AttributeInputs, changedAttributes, typedAttributes } from "./attribute-inputs";
import { PersonInputs, typedValues } from "./person-fields";

type Props = { onClose(): void; onOpen(id: string): void };

/** Adds one person, or several in turn. */
export default function AddPerson({ onClose, onOpen }: Props) {
  const { newsletterId, sends } = useViewer();
  const { data: fields = [] } = api.fields.list.useQuery({ newsletterId });
  const add = api.people.add.useMutation();
  // The address that the server has warned of: pressing the button again adds it.
  const [warnedOf, setWarnedOf] = useState<string>();
  const nothing = typedAttributes(fields);
  const initial = { ...typedValues(), ...nothing, status: "pending" as "pending" | "active" };
  const form = useServerForm(initial, async ({ fields: typed, tags, ...person }, { submitter }) => {
    const attributes = changedAttributes(fields, nothing, { fields: typed, tags });
    const { id, email } = await add
      .mutateAsync({
        newsletterId,
        person: { ...person, ...attributes },
        despiteOptOut: warnedOf === person.email,
      })
      .catch((error) => {
        if (messageFor(rejectionOf(error), "status")) setWarnedOf(person.email);
        throw error;
      });
    notify(
      person.status === "pending"
        ? `${email} added. ${askedFor("A confirmation email", sends)}`
        : `${email} added.`,
    );
    if (submitter === "next") {
      form.setValues({ ...typedValues(), ...nothing });
      form.element.current?.querySelector("input")?.focus();
    } else {
      onClose();
      onOpen(id);
    }
  });

  return (
    <Dialog onClose={onClose} title="Add a person">
      <Form
        form={form}
        submit="Add 1 person"
        atEnd
        actions={
          <Button variant="default" type="submit" value="next" disabled={form.busy}>
            Add another
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
              description="Added immediately. Use only with existing consent."
            />
          </Stack>
        </Radio.Group>
        <AttributeInputs fields={fields} form={form} />
      </Form>
    </Dialog>
  );
}
