import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { FieldInput, TagSelect } from "./attribute-inputs";
import { typedFilter } from "./attribute-text";
import type { PeopleView } from "./view-state";

type Props = { view: PeopleView; onDone(): void };

/** The inputs for tags and field values, inside the filter's popover. */
export default function AttributeFilter({ view, onDone }: Props) {
  const t = useTranslations("people.filters");
  const [chosen, setChosen] = useState(view.tags);
  const [typed, setTyped] = useState(() => typedFilter(view.fields));
  const show = (event: FormEvent) => {
    event.preventDefault();
    const pairs = Object.entries(typed).filter(([, value]) => value.trim() !== "");
    view.show({ tags: chosen, fields: pairs.map(([key, value]) => `${key}:${value.trim()}`) });
    onDone();
  };
  const clear = () => {
    view.show({ tags: [], fields: [] });
    onDone();
  };
  return (
    <form onSubmit={show}>
      <Stack gap="sm">
        <TagSelect
          label={t("anyOfTags")}
          value={chosen}
          onChange={setChosen}
          openOnFocus={false}
          // Outside a portal: a click in a portal would close the popover.
          comboboxProps={{ withinPortal: false }}
        />
        {view.knownFields.map((field) => (
          <FieldInput
            key={field.key}
            field={field}
            value={typed[field.key] ?? ""}
            none={t("any")}
            onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [field.key]: value })}
          />
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={clear}>
            {t("clear")}
          </Button>
          <Button type="submit">{t("show")}</Button>
        </Group>
      </Stack>
    </form>
  );
}
