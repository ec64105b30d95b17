"use client";
import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { FieldInput } from "./attribute-inputs";
import { typedFilter } from "./attribute-text";
import type { PeopleView } from "./view-state";

type Props = { view: PeopleView; tags: string[]; onDone(): void };

/** Which tags and values to show, for the drop-down that opens it. */
export default function AttributeFilter({ view, tags, onDone }: Props) {
  const [chosen, setChosen] = useState(view.tags ?? []);
  const [typed, setTyped] = useState(() => typedFilter(view.fields ?? []));
  const show = (event?: FormEvent) => {
    event?.preventDefault();
    const pairs = Object.entries(typed).filter(([, value]) => value.trim() !== "");
    view.show({
      tags: chosen.length > 0 ? chosen : null,
      fields: pairs.length > 0 ? pairs.map(([key, value]) => `${key}:${value.trim()}`) : null,
    });
    onDone();
  };
  const clear = () => {
    view.show({ tags: null, fields: null });
    onDone();
  };
  return (
    <form onSubmit={show}>
      <Stack gap="sm">
        <MultiSelect
          label="Any of these tags"
          data={[...new Set([...tags, ...chosen])]}
          value={chosen}
          onChange={setChosen}
          limit={20}
          searchable
          openOnFocus={false}
          nothingFoundMessage="There is no such tag."
          // Within the popover, which a click elsewhere closes.
          comboboxProps={{ withinPortal: false }}
        />
        {view.knownFields.map((field) => (
          <FieldInput
            key={field.key}
            field={field}
            value={typed[field.key] ?? ""}
            none="Any"
            onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [field.key]: value })}
          />
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={clear}>
            Clear
          </Button>
          <Button type="submit">Show</Button>
        </Group>
      </Stack>
    </form>
  );
}
