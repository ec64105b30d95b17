"use client";
import { peopleOrders } from "@/server/contract/people-list";
import { SegmentChip } from "../segments/segment-editing";
import { SearchField } from "../shell/search-field";
import { Choice, SeveralChoice } from "../ui/choice";
import kit from "../ui/kit.module.css";
import { AttributeChoice } from "./attribute-choice";
import { ColumnChoice } from "./column-choice";
import { ImportChip } from "./import-chip";
import styles from "./people.module.css";
import { type ChoiceName, choiceNames, choices, personFields } from "./person-fields";
import { SpanChoice } from "./span-choice";
import { orderWords, type PeopleView } from "./view-state";

const orderOptions = [peopleOrders.map((value) => ({ value, label: orderWords[value] }))];

/** What narrows the list; each choice is in the address at once. */
export function Filters({ view }: { view: PeopleView }) {
  const { q, show } = view;
  return (
    <search className={kit.filters} aria-label="People">
      <SearchField label="Search by email or name" value={q} onChange={(text) => void show({ q: text })} />
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
