"use client";
import { Anchor, Box, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { Form, Problem, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { AttributeInputs, changedAttributes, typedAttributes } from "./attribute-inputs";
import type { Field } from "./attribute-text";
import { PersonInputs, type TypedValues, typedValues, useConfirmationNote } from "./person-fields";

type Props = { person: Outputs["people"]["get"]["person"]; fields: Field[]; onClose(): void };

/** Edits a person. If another staff member edited the person meanwhile, nothing is saved and the form says so. */
export function PersonForm({ person, fields, onClose }: Props) {
  const t = useTranslations("people");
  const willAsk = useConfirmationNote();
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const change = api.people.change.useMutation();
  const [conflict, setConflict] = useState<string | null>(null);
  const { id, version, status } = person;
  const plain = { ...typedValues(person), status };
  const before = { ...plain, ...typedAttributes(fields, person) };
  const form = useServerForm(before, async (values) => {
    const names = Object.keys(plain) as (keyof typeof plain)[];
    const changed = names.filter((name) => values[name] !== before[name]).map((name) => [name, values[name]]);
    const patch: Partial<TypedValues> & { status?: "active" | "pending" } = Object.fromEntries(changed);
    Object.assign(patch, changedAttributes(fields, before, values));
    if (Object.keys(patch).length > 0) {
      try {
        await change.mutateAsync({ newsletterId, id, version, patch });
      } catch (error) {
        const clash = messageFor(rejectionOf(error), "version");
        if (!clash) throw error;
        return setConflict(clash);
      }
      notify(t("form.saved"));
    }
    onClose();
  });

  const { values } = form;
  const asks = values.status === "pending" && (status !== "pending" || values.email !== before.email);

  async function reload() {
    await utils.people.get.invalidate({ newsletterId, id });
    onClose();
  }

  return (
    <Box mt="lg">
      <Form form={form} submit={t("form.save")} atEnd onCancel={onClose}>
        <PersonInputs form={form} />
        <NativeSelect
          label={t("field.status")}
          data={[
            // Staff can't reactivate an unsubscribed person. Only the person's own confirmation can.
            ...(status === "unsubscribed"
              ? [{ value: "unsubscribed", label: t("status.unsubscribed") }]
              : []),
            ...(person.unsubscribedAt === null ? [{ value: "active", label: t("status.active") }] : []),
            { value: "pending", label: t("form.pendingAsks") },
          ]}
          {...form.getInputProps("status")}
        />
        <AttributeInputs fields={fields} form={form} />
        {asks && <p className={kit.quiet}>{willAsk(form.values.email)}</p>}
        {conflict && (
          <Problem>
            {conflict}{" "}
            <Anchor component="button" type="button" fz="sm" onClick={reload}>
              {t("form.showChanged")}
            </Anchor>
          </Problem>
        )}
      </Form>
    </Box>
  );
}
