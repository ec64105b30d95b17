import { Button, Radio, Stack } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, messageFor, rejectionOf } from "../trpc";
import { FormDialog, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";
import { useStatusWord } from "../ui/status-pill";
import { AttributeInputs, changedAttributes, typedAttributes } from "./attribute-inputs";
import { useFields } from "./attribute-text";
import { PersonInputs, typedValues, useConfirmationNote, useDomainCheck } from "./person-fields";

type Props = { onClose(): void; onOpen(id: string): void };

/** Adds one person, or several in turn. */
export default function AddPerson({ onClose, onOpen }: Props) {
  const t = useTranslations("people");
  const statusWord = useStatusWord();
  const willAsk = useConfirmationNote();
  const checkDomain = useDomainCheck();
  const { newsletterId, sends } = useViewer();
  const { fields } = useFields();
  const add = api.people.add.useMutation();
  // The address that the server warned about. A second submit adds it.
  const [warnedOf, setWarnedOf] = useState<string>();
  const addsAnother = useRef(false);
  const nothing = typedAttributes(fields);
  const initial = { ...typedValues(), ...nothing, status: "pending" as "pending" | "active" };
  const form = useServerForm(initial, async ({ fields: typed, tags, ...person }) => {
    const staysOpen = addsAnother.current;
    addsAnother.current = false;
    await checkDomain(person.email);
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
    if (person.status === "active") notify(t("add.done", { email }));
    else notify(sends ? t("add.doneQueued", { email }) : t("add.doneStored", { email }));
    if (staysOpen) {
      form.setValues({ ...typedValues(), ...nothing });
      form.element.current?.querySelector("input")?.focus();
    } else {
      onClose();
      onOpen(id);
    }
  });

  return (
    <FormDialog
      title={t("add.title")}
      form={form}
      submit={t("add.action")}
      onClose={onClose}
      actions={
        // Not a submit button: Enter would press it, as the form's first one.
        <Button
          variant="default"
          disabled={form.busy}
          onClick={() => {
            addsAnother.current = true;
            form.element.current?.requestSubmit();
          }}
        >
          {t("add.another")}
        </Button>
      }
    >
      <PersonInputs form={form} />
      <Radio.Group {...form.input("status", t("field.status"))}>
        <Stack gap="xs" mt={4}>
          <Radio value="pending" label={statusWord("pending")} description={willAsk(form.values.email)} />
          <Radio value="active" label={statusWord("active")} description={t("add.activeHint")} />
        </Stack>
      </Radio.Group>
      <AttributeInputs form={form} />
    </FormDialog>
  );
}
