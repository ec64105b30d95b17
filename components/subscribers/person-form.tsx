import { Box, NativeSelect } from "@mantine/core";
import { useTranslations } from "use-intl";
import { textNames } from "@/server/subscribers/schema/subscriber-texts";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { useConflict } from "../ui/conflict";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { type Fact, Facts } from "../ui/side-panel";
import { StatusPill, useStatusWord } from "../ui/status-pill";
import { useUnsaved } from "../ui/unsaved";
import { AttributeInputs, changedAttributes, typedAttributes } from "./attribute-inputs";
import { type Field, TagList, useFields, useValueText } from "./attribute-text";
import {
  PersonInputs,
  type TypedValues,
  typedValues,
  useConfirmationNote,
  useDomainCheck,
} from "./person-fields";

type FormPerson = Outputs["people"]["get"]["person"];
type FormProps = { person: FormPerson; onClose(): void };

const valuesOf = (fields: Field[], person: FormPerson) => ({
  ...typedValues(person),
  status: person.status,
  ...typedAttributes(fields, person),
});
type Values = ReturnType<typeof valuesOf>;

/** Returns the changed values as a patch. */
function patchOf(fields: Field[], before: Values, after: Values) {
  const names = [...textNames, "status"] as const;
  const changed = names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]);
  const patch: Partial<TypedValues> & { status?: "active" | "pending" } = Object.fromEntries(changed);
  return { ...patch, ...changedAttributes(fields, before, after) };
}

type ChangesProps = { before: Values; person: FormPerson };

/** Lists the person's values that changed since the form was opened. */
function TheirChanges({ before, person }: ChangesProps) {
  const t = useTranslations("people");
  const { fields } = useFields();
  const valueText = useValueText();
  const changed = patchOf(fields, before, valuesOf(fields, person));
  const none = t("value.none");
  const changedFields = fields.filter(({ key }) => key in (changed.fields ?? {}));
  return (
    <Facts
      facts={[
        ...textNames.map((name): Fact => [t(`field.${name}`), name in changed && (person[name] || none)]),
        [t("field.status"), changed.status && <StatusPill status={person.status} />],
        ...changedFields.map((field): Fact => [field.label, valueText(person, field) ?? none]),
        [t("field.tags"), changed.tags && (person.tags.length > 0 ? <TagList tags={person.tags} /> : none)],
      ]}
    />
  );
}

/** Edits a person. If another staff member edited the person meanwhile, the form shows both versions. */
export function PersonForm({ person: current, onClose }: FormProps) {
  const t = useTranslations("people");
  const statusWord = useStatusWord();
  const willAsk = useConfirmationNote();
  const checkDomain = useDomainCheck();
  const { newsletterId } = useViewer();
  const { fields } = useFields();
  const change = api.people.change.useMutation();
  const { opened: person, isConflict, save } = useConflict(current);
  const { status } = person;
  const before = valuesOf(fields, person);
  const form = useServerForm(before, async (values) => {
    const patch = patchOf(fields, before, values);
    if (patch.email !== undefined) await checkDomain(patch.email);
    if (Object.keys(patch).length > 0) {
      await save(({ id, version }) => change.mutateAsync({ newsletterId, id, version, patch }));
      notify(t("form.saved"));
    }
    onClose();
  });

  useUnsaved(form.isDirty());
  const { values } = form;
  const asks = values.status === "pending" && (status !== "pending" || values.email !== before.email);
  const theirs = isConflict && <TheirChanges before={before} person={current} />;

  return (
    <Box mt="lg">
      <Form form={form} submit={t("form.save")} theirs={theirs} atEnd onCancel={onClose}>
        <PersonInputs form={form} />
        <NativeSelect
          {...form.input("status", t("field.status"))}
          data={[
            // Staff can't reactivate an unsubscribed person. Only the person's own confirmation can.
            ...(status === "unsubscribed"
              ? [{ value: "unsubscribed", label: statusWord("unsubscribed") }]
              : []),
            ...(person.unsubscribedAt === null ? [{ value: "active", label: statusWord("active") }] : []),
            { value: "pending", label: t("form.pendingAsks") },
          ]}
        />
        <AttributeInputs form={form} />
        {asks && <p className={kit.quiet}>{willAsk(form.values.email)}</p>}
      </Form>
    </Box>
  );
}
