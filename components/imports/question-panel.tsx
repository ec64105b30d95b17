import { Group, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { type ListQuestion, type Meaning, meanings } from "@/server/imports/list-parser/list-types";
import type { Texts } from "../texts/texts";
import { LinkButton } from "../ui/link-button";
import styles from "./form.module.css";
import { andMore, columnTitle, valueName } from "./list-names";
import type { ReadList } from "./use-list";

const valuesAtFirst = 8;

type Value = ListQuestion["values"][number];
type Answer = Record<string, Meaning>;

/** Asks what only a person can decide. Affected people are added only after an answer. */
export function QuestionPanel({ list: { reading, override, session } }: { list: ReadList }) {
  const t = useTranslations("imports.questions");
  if (reading.questions.length === 0) return null;
  const answer = (id: string, given: Answer) => {
    const { answers } = override;
    session.setOverride({ ...override, answers: { ...answers, [id]: { ...answers?.[id], ...given } } });
  };
  return (
    <section className={styles.questions} aria-label={t("label")}>
      {reading.questions.map((question) => (
        <Question key={question.id} question={question} onAnswer={(given) => answer(question.id, given)} />
      ))}
    </section>
  );
}

type Props = { question: ListQuestion; onAnswer(given: Answer): void };

/** One question. A detected answer is text until the user edits it. Answered questions keep their position. */
function Question({ question, onAnswer }: Props) {
  const t = useTranslations("imports");
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
      <legend>{unanswered.length > 0 ? questionOf(question, unanswered, t) : subjectOf(question, t)}</legend>
      {shown.map((value) => (
        <Choice key={value.value} value={value} onAnswer={onAnswer} />
      ))}
      <Group gap="2 14">
        {understood.length > 0 && <Understood values={understood} onChange={() => setChanges(true)} />}
        {open.length > shown.length && (
          <LinkButton onClick={() => setAll(true)}>
            {t("questions.showMore", { n: open.length - shown.length })}
          </LinkButton>
        )}
        {unanswered.length > 1 && (
          <LinkButton
            onClick={() => onAnswer(Object.fromEntries(unanswered.map(({ value }) => [value, "nothing"])))}
          >
            {t("questions.none")}
          </LinkButton>
        )}
      </Group>
    </fieldset>
  );
}

function Choice({ value: { value, meaning }, onAnswer }: { value: Value } & Pick<Props, "onAnswer">) {
  const t = useTranslations("imports");
  const options = meanings.map((one) => ({ value: one, label: t(`questions.meanings.${one}`) }));
  const choose = { value: "", label: t("questions.choose"), disabled: true };
  return (
    <NativeSelect
      label={valueName(value, t)}
      value={meaning ?? ""}
      data={meaning === null ? [choose, ...options] : options}
      onChange={(event) => onAnswer({ [value]: event.currentTarget.value as Meaning })}
    />
  );
}

function Understood({ values, onChange }: { values: Value[]; onChange(): void }) {
  const t = useTranslations("imports");
  const shown = values.slice(0, valuesAtFirst).map((one) => {
    const value = countedValue(one, t);
    const meaning = one.meaning ?? "nothing";
    const isSaid = t(`questions.meanings.${meaning}`).toLowerCase() === one.value.toLowerCase();
    return isSaid ? value : t(`questions.understoodAs.${meaning}`, { value });
  });
  return (
    <span>
      {t("questions.understood", { values: andMore(shown, values.length, t) })}{" "}
      <LinkButton onClick={onChange}>{t("questions.change")}</LinkButton>
    </span>
  );
}

const subjectOf = ({ about, title }: ListQuestion, t: Texts<"imports">) =>
  t(`questions.about.${about}`, { title: columnTitle(title) });

function questionOf({ about, title }: ListQuestion, unanswered: Value[], t: Texts<"imports">): string {
  const values = unanswered.slice(0, valuesAtFirst).map((value) => countedValue(value, t));
  return t(`questions.ask.${about}`, {
    title: columnTitle(title),
    values: andMore(values, unanswered.length, t),
    n: unanswered.length,
  });
}

/** "“cooling” (2)" */
function countedValue({ value, count }: Value, t: Texts<"imports">): string {
  const name = valueName(value, t);
  return t("questions.value", { value: name, quoted: name === value ? "yes" : "no", n: count });
}
