import { Anchor, Group, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { type ListQuestion, type Meaning, meanings } from "@/server/domain/list-parser/list-types";
import { count } from "../ui/numbers";
import styles from "./form.module.css";
import type { List } from "./use-list";

const meaningWords: Record<Meaning, string> = {
  active: "Active",
  pending: "Pending",
  unsubscribed: "Unsubscribed",
  bounced: "Bounced",
  complained: "Complained",
  nothing: "No subscription meaning",
};
const options = meanings.map((value) => ({ value, label: meaningWords[value] }));
const valuesAtFirst = 8;

type Value = ListQuestion["values"][number];
type Answer = Record<string, Meaning>;

/** What the list says that only a person can know; until it is answered, nobody it is about is added. */
export function QuestionPanel({ list: { reading, override, session } }: { list: List }) {
  if (!reading || reading.questions.length === 0) return null;
  const answer = (id: string, given: Answer) => {
    const { answers } = override;
    session.setOverride({ ...override, answers: { ...answers, [id]: { ...answers?.[id], ...given } } });
  };
  return (
    <section className={styles.questions} aria-label="Questions about the list">
      {reading.questions.map((question) => (
        <Question key={question.id} question={question} onAnswer={(given) => answer(question.id, given)} />
      ))}
    </section>
  );
}

type Props = { question: ListQuestion; onAnswer(given: Answer): void };

/** One question. What is understood is text until somebody wants to change it; what was answered here stays where it is. */
function Question({ question, onAnswer }: Props) {
  const { values } = question;
  const [changes, setChanges] = useState(false);
  const [all, setAll] = useState(false);
  const isOpen = ({ meaning, answered }: Value) => meaning === null || answered || changes;
  const open = values.filter(isOpen);
  const understood = values.filter((value) => !isOpen(value));
  const unanswered = values.filter(({ meaning }) => meaning === null);
  const shown = all ? open : open.slice(0, valuesAtFirst);
  return (
    <fieldset data-open={unanswered.length > 0 || undefined}>
      <legend>{unanswered.length > 0 ? questionOf(question, unanswered) : subjectOf(question)}</legend>
      {shown.map((value) => (
        <Choice key={value.value} value={value} onAnswer={onAnswer} />
      ))}
      <Group gap="2 14">
        {understood.length > 0 && <Understood values={understood} onChange={() => setChanges(true)} />}
        {open.length > shown.length && (
          <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
            Show {count(open.length - shown.length)} more
          </Anchor>
        )}
        {unanswered.length > 1 && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => onAnswer(Object.fromEntries(unanswered.map(({ value }) => [value, "nothing"])))}
          >
            None of them concern the subscription
          </Anchor>
        )}
      </Group>
    </fieldset>
  );
}

function Choice({ value: { value, meaning }, onAnswer }: { value: Value } & Pick<Props, "onAnswer">) {
  return (
    <NativeSelect
      label={value}
      value={meaning ?? ""}
      data={meaning === null ? [{ value: "", label: "Choose …", disabled: true }, ...options] : options}
      onChange={(event) => onAnswer({ [value]: event.currentTarget.value as Meaning })}
    />
  );
}

function Understood({ values, onChange }: { values: Value[]; onChange(): void }) {
  const shown = values.slice(0, valuesAtFirst).map(({ value, count: times, meaning }) => {
    const word = meaningWords[meaning ?? "nothing"].toLowerCase();
    return `${value} ${count(times)}${word === value.toLowerCase() ? "" : ` as ${word}`}`;
  });
  return (
    <span>
      Understood: {andMore(shown, values.length)}.{" "}
      <Anchor component="button" type="button" size="sm" onClick={onChange}>
        Change
      </Anchor>
    </span>
  );
}

const andMore = (shown: string[], all: number) =>
  shown.join(", ") + (all > shown.length ? ` and ${count(all - shown.length)} more` : "");

const subjects: Record<ListQuestion["about"], (title: string) => string> = {
  // Without a header the title is "column 3".
  column: (title) => `Column ${title.replace(/^column (?=\d+$)/, "")}`,
  remark: () => "Words next to addresses",
  heading: () => "Headings over people",
  file: () => "The file name",
};
const subjectOf = ({ about, title }: ListQuestion) => subjects[about](title);

function questionOf(question: ListQuestion, unanswered: Value[]): string {
  const has = unanswered.slice(0, valuesAtFirst).map(({ value, count: times }) => `${value} ${count(times)}`);
  const verb = question.about === "column" ? "has" : question.about === "file" ? "is" : "are";
  const what = unanswered.length > 1 ? "do they" : "does it";
  return `${subjectOf(question)} ${verb} ${andMore(has, unanswered.length)}: what ${what} mean?`;
}
