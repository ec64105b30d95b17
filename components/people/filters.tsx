"use client";
import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type RefObject, useEffect, useState } from "react";
import { peopleOrders } from "@/server/contract/people-list";
import { SegmentChip } from "../segments/segment-editing";
import { Choice, SeveralChoice } from "../ui/choice";
import { icons } from "../ui/icons";
import { AttributeChoice } from "./attribute-choice";
import { ColumnChoice } from "./column-choice";
import { ImportChip } from "./import-chip";
import styles from "./people.module.css";
import { type ChoiceName, choiceNames, choices, personFields } from "./person-fields";
import { SpanChoice } from "./span-choice";
import { orderWords, type PeopleView } from "./view-state";

const TYPING_MS = 160;

const orderOptions = [peopleOrders.map((value) => ({ value, label: orderWords[value] }))];

type Props = { view: PeopleView; searchRef: RefObject<HTMLInputElement | null> };

/** What narrows the list; each choice is in the address at once. */
export function Filters({ view, searchRef }: Props) {
  const { q, show } = view;
  const [typed, setTyped] = useState(q);
  const search = useDebouncedCallback((text: string) => void show({ q: text }), TYPING_MS);
  // The address may change without typing: another search from the palette, or Back.
  useEffect(() => setTyped(q), [q]);

  return (
    <search className={styles.filters} aria-label="People">
      <TextInput
        ref={searchRef}
        className={styles.search}
        aria-label="Search by email or name"
        placeholder="Search by email or name"
        type="search"
        leftSection={<icons.search />}
        rightSection={typed === "" ? <kbd>/</kbd> : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <div className={styles.choices}>
        <SegmentChip view={view} />
        <ImportChip view={view} />
        {choiceNames.map((name) => (
          <FieldChoice key={name} name={name} view={view} />
        ))}
        <AttributeChoice view={view} />
        <SpanChoice label="Added" value={view.added} onChange={(added) => show({ added })} />
        <SpanChoice label="Confirmed" value={view.confirmed} onChange={(confirmed) => show({ confirmed })} />
        <span className={styles.order}>
          <Choice
            label="Order"
            value={view.sort === "newest" ? null : view.sort}
            chosen={view.sort === "newest" ? null : orderWords[view.sort]}
            options={orderOptions}
            onChoose={(sort) => show({ sort: (sort as typeof view.sort | null) ?? "newest" })}
          />
        </span>
        <ColumnChoice view={view} />
      </div>
    </search>
  );
}

/** The people with one of some values of a field, or with any. */
function FieldChoice({ name, view }: { name: ChoiceName; view: PeopleView }) {
  const { values, word } = choices[name];
  return (
    <SeveralChoice
      label={personFields[name].word}
      values={view[name] ?? []}
      options={values.map((value) => ({ value, label: word(value) }))}
      onChoose={(chosen) => view.show({ [name]: chosen.length > 0 ? chosen : null })}
    />
  );
}
