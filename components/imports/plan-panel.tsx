import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { addedBy, maxImportRows } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { messageFor } from "../ui/error-of";
import { count, people } from "../ui/numbers";
import styles from "./form.module.css";
import { outcomeLines } from "./outcome-words";
import { mostInOneCall } from "./reading/bulk-curl";
import { Rejected } from "./rejected";
import type { List } from "./use-list";

const ApiCall = dynamic(() => import("./api-call"), { ssr: false });

/** What will happen, who says so, and the one button. */
export function PlanPanel({ list }: { list: List }) {
  const { reading, plan, stale, rejection } = list;
  const rows = reading?.rows ?? 0;
  // What is wrong with a field stands at the field.
  const ofField = messageFor(rejection, "source") ?? messageFor(rejection, "wording");
  if (!reading || (rows === 0 && reading.counts.fix === 0)) return null;
  return (
    <section className={styles.plan} aria-label="What will happen">
      <Choices list={list} />
      <div className={styles.outcome}>
        {plan && <Outcome list={list} />}
        {rejection?.by === "plan" && !ofField && <Rejected list={list} />}
        {plan && !stale ? <Commit key={plan.digest} list={list} /> : <Check list={list} />}
        {rows > 0 && rows <= mostInOneCall && <ApiCall list={list} />}
      </div>
    </section>
  );
}

function Choices({ list }: { list: List }) {
  const { defaultStatus, setDefaultStatus } = list;
  return (
    <div className={styles.choices}>
      <fieldset>
        <legend>New people are</legend>
        <Choice
          name="status"
          checked={defaultStatus === "pending"}
          onChoose={() => setDefaultStatus("pending")}
          title="Pending"
        >
          Each gets a mail that asks to confirm.
        </Choice>
        <Choice
          name="status"
          checked={defaultStatus === "active"}
          onChoose={() => setDefaultStatus("active")}
          title="Active"
        >
          On the list at once, without a mail. A status in the list itself wins.
        </Choice>
      </fieldset>
    </div>
  );
}

type ChoiceProps = { name: string; checked: boolean; onChoose(): void; title: string; children: string };

function Choice({ name, checked, onChoose, title, children }: ChoiceProps) {
  return (
    <label>
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      <span>
        <b>{title}</b> {children}
      </span>
    </label>
  );
}

/** Before the check, and whenever the list is no longer the one that was checked. */
function Check({ list }: { list: List }) {
  const { reading, plan, busy } = list;
  const rows = reading?.rows ?? 0;
  const tooMany = rows > maxImportRows;
  return (
    <div className={styles.check}>
      <p>
        {tooMany
          ? `One run takes up to ${count(maxImportRows)} people, and these are ${count(rows)}. Take some out, and bring them in a second run.`
          : plan
            ? "The list or the choices have changed since they were checked."
            : "A check compares these lines with your list and shows exactly what will happen. It adds and mails nobody."}
      </p>
      <Button
        variant={plan ? "default" : "filled"}
        onClick={list.check}
        loading={busy === "check"}
        disabled={rows === 0 || tooMany}
      >
        {plan ? "Check again" : `Check ${people(rows)}`}
      </Button>
    </div>
  );
}

function Outcome({ list }: { list: List }) {
  const { plan, stale, reading } = list;
  const heading = useRef<HTMLHeadingElement>(null);
  const digest = plan?.digest;
  // The button that asked for the check is gone: the keyboard goes on with what it found.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each plan
  useEffect(() => heading.current?.focus({ preventScroll: true }), [digest]);
  if (!plan) return null;
  const lines = outcomeLines(plan.counts, "will");
  const twice = reading?.counts.twice ?? 0;
  return (
    <div className={styles.outcomes} data-stale={stale || undefined}>
      <h2 ref={heading} tabIndex={-1}>
        What will happen
      </h2>
      <ul>
        {lines.map(({ key, number, text }) => (
          <li key={key}>
            <b>{count(number)}</b> {text}.
          </li>
        ))}
        {plan.rejected > 0 && (
          <li>
            <b>{count(plan.rejected)}</b> {plan.rejected === 1 ? "line" : "lines"} to fix{" "}
            {plan.rejected === 1 ? "adds" : "add"} nobody, and {plan.rejected === 1 ? "is" : "are"} kept with
            this run.
          </li>
        )}
        {!stale && twice > 0 && (
          <li>
            <b>{count(twice)}</b> {twice === 1 ? "stands" : "stand"} twice in the list, and{" "}
            {twice === 1 ? "counts" : "count"} once.
          </li>
        )}
      </ul>
    </div>
  );
}

function Commit({ list }: { list: List }) {
  const { newsletter, newsletterId } = useViewer();
  const router = useRouter();
  const { plan, busy, rejection } = list;
  const [agreed, setAgreed] = useState(false);
  const [asked, setAsked] = useState(false);
  if (!plan) return null;
  const number = addedBy(plan.counts);
  if (number === 0)
    return <p className={styles.nothingToDo}>Nobody on this list is new, so there is nothing to do.</p>;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    setAsked(true);
    if (!agreed) return form.querySelector<HTMLElement>("[type=checkbox]")?.focus();
    const run = await list.commit({
      source: String(data.get("source")),
      wording: String(data.get("wording")),
      people: number,
    });
    if (run) router.push(`/n/${newsletterId}/imports/${run.id}`);
    else form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }

  return (
    <form onSubmit={submit} noValidate className={styles.commit}>
      <TextInput
        name="source"
        label="Where did they agree?"
        placeholder="Sign-up sheet at the spring fair"
        error={messageFor(rejection, "source")}
        autoComplete="off"
        maxLength={200}
      />
      <Textarea
        name="wording"
        label="In what words?"
        description="May be left empty. Kept with the run, for whoever asks later."
        error={messageFor(rejection, "wording")}
        autosize
        minRows={1}
        maxRows={4}
      />
      <Checkbox
        checked={agreed}
        onChange={(event) => setAgreed(event.currentTarget.checked)}
        label={`${number === 1 ? "This person has" : `These ${people(number)} have`} agreed to be written to by ${newsletter.name}.`}
        error={asked && !agreed ? "Without their agreement nobody is added." : undefined}
      />
      <Button type="submit" loading={busy === "commit"}>
        Add {people(number)}
      </Button>
    </form>
  );
}
