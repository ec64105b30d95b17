"use client";
import { Button, Group, MultiSelect, Popover, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { ChoiceButton } from "../ui/choice";
import { FieldInput } from "./attribute-inputs";
import { fieldText, typedFilter } from "./attribute-text";
import styles from "./people.module.css";
import type { PeopleView } from "./view-state";

/** The people with some tags and values of fields; nothing where the newsletter has neither. */
export function AttributeChoice({ view }: { view: PeopleView }) {
  const { newsletterId } = useViewer();
  const { data: tags = [] } = api.tags.useQuery({ newsletterId });
  const [opened, setOpened] = useState(false);
  const chosen = wordsOf(view);
  if (tags.length === 0 && view.knownFields.length === 0 && !chosen) return null;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={300}
      shadow="md"
      transitionProps={{ duration: 120 }}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ChoiceButton
          label={chosen ? "With" : "Tags and fields"}
          chosen={chosen}
          onClick={() => setOpened(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label="Tags and fields" className={styles.attributes}>
        {opened && <AttributeFilter view={view} tags={tags} onDone={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

/** "VIP or new, Edition Print" */
function wordsOf({ tags, fields, knownFields }: PeopleView): string {
  const values = Object.entries(typedFilter(fields ?? [])).map(([key, value]) => {
    const field = knownFields.find((one) => one.key === key);
    return field ? `${field.label} ${fieldText(field, value)}` : `${key} ${value}`;
  });
  return [...(tags?.length ? [tags.join(" or ")] : []), ...values].join(", ");
}

type Props = { view: PeopleView; tags: string[]; onDone(): void };

function AttributeFilter({ view, tags, onDone }: Props) {
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
