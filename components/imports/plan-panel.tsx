import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { addedBy, maxImportRows, storedBy } from "@/server/contract/imports";
import { MailingQuestion } from "../mails/mailing-question";
import { useViewer } from "../shell/viewer";
import { Form, useServerForm } from "../ui/form";
import { count, counted, people } from "../ui/numbers";
import { Progress } from "../ui/progress";
import { useOffers } from "../ui/verbs";
import { accountSentence } from "./account-sentence";
import { ConsentFields, notAgreed } from "./consent-fields";
import { sumCounts } from "./counts-bar";
import styles from "./form.module.css";
import { outcomeLines, relatedOptOutText, stillHereText } from "./outcome-words";
import { mostInOneCall } from "./reading/bulk-curl";
import type { CheckedPlan } from "./reading/messages";
import { RejectedBanner } from "./rejected-banner";
import { StatusRuleChoice } from "./status-rule";
import type { List } from "./use-list";

const ApiCall = dynamic(() => import("./api-call"), { ssr: false });

/** Plan, who agreed to it, and the one button. */
export function PlanPanel({ list }: { list: List }) {
  const { reading, plan, stale, rejection } = list;
  if (!reading || sumCounts(reading.counts, null) === 0) return null;
  const { rows, counts } = reading;
  return (
    <section className={styles.plan} aria-label="Plan">
      <StatusRuleChoice list={list} />
      <Stack align="flex-start">
        {plan && <Outcome list={list} plan={plan} />}
        <Text c="dimmed">{accountSentence(reading)}</Text>
        {rejection?.by === "plan" && <RejectedBanner list={list} />}
        {plan && !stale ? <Commit key={plan.digest} list={list} plan={plan} /> : <Check list={list} />}
        {rows > counts.leaving && rows <= mostInOneCall && <ApiCall list={list} />}
      </Stack>
    </section>
  );
}

/** Before the check, and whenever the list is no longer the one that was checked. */
function Check({ list: { reading, plan, uploaded, session } }: { list: List }) {
  const rows = reading?.rows ?? 0;
  const asked = reading?.counts.asked ?? 0;
  const tooMany = rows > maxImportRows;
  const mayCheck = rows > 0 && !tooMany && uploaded === null;
  const words = plan ? "Check again" : `Check ${people(rows)}`;
  const check = () => void (mayCheck && session.check());
  useOffers("The list", mayCheck ? [{ verb: "check", label: words, run: check }] : []);
  // Also while the list is being typed.
  useHotkeys([["mod+Enter", check]], [], true);
  return (
    <>
      <Text c="dimmed">
        {tooMany
          ? `One import takes up to ${count(maxImportRows)} people, and this list has ${count(rows)}. Split it into several imports.`
          : plan
            ? "The list or a choice has changed since the check."
            : "A check compares these lines with your list and shows the result. It adds no people and sends no emails."}
        {asked > 0 && ` ${people(asked)} ${asked === 1 ? "needs" : "need"} your answer above.`}
      </Text>
      <Button variant={plan ? "default" : "filled"} onClick={check} disabled={!mayCheck}>
        {words}
      </Button>
      {uploaded !== null && (
        <div className={`${styles.commit} ${styles.step}`}>
          <Progress label="People uploaded" done={Math.round(uploaded * rows)} total={rows}>
            {uploaded < 1 ? "Uploading the list" : "Comparing it with your list"}
          </Progress>
        </div>
      )}
    </>
  );
}

/** What becomes of those lines of the list that are not people of the plan. */
const asideWords = {
  rejected: (n: number) =>
    n === 1
      ? "line with an error is not imported, and is stored with this import"
      : "lines with errors are not imported, and are stored with this import",
  twice: (n: number) =>
    n === 1 ? "is in the list twice and counts once" : "are in the list twice and count once",
  asked: (n: number) =>
    n === 1 ? "needs your answer and is not added" : "need your answers and are not added",
};

function Outcome({ list: { stale, reading }, plan }: { list: List; plan: CheckedPlan }) {
  const { sends } = useViewer();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that asked for the check is gone: the keyboard goes on with what it found.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each plan
  useEffect(() => heading.current?.focus({ preventScroll: true }), [plan.digest]);
  const { twice = 0, asked = 0 } = (!stale && reading?.counts) || {};
  const stillHere = plan.stillHere.people;
  const beside = [
    { key: "still_here", number: stillHere, text: stillHereText(stillHere) },
    { key: "related", number: plan.relatedOptOuts.people, text: relatedOptOutText(plan.relatedOptOuts) },
    { key: "rejected", number: plan.rejected, text: asideWords.rejected(plan.rejected) },
    { key: "twice", number: twice, text: asideWords.twice(twice) },
    { key: "asked", number: asked, text: asideWords.asked(asked) },
  ].filter(({ number }) => number > 0);
  const lines = [...outcomeLines(plan.counts, "will", { sends }), ...beside];
  return (
    <div className={styles.outcomes} data-stale={stale || undefined}>
      <h2 ref={heading} tabIndex={-1}>
        Plan
      </h2>
      <ul>
        {lines.map(({ key, number, text }) => (
          <li key={key}>
            <b>{count(number)}</b> {text}.
          </li>
        ))}
      </ul>
    </div>
  );
}

function Commit({ list: { session }, plan }: { list: List; plan: CheckedPlan }) {
  const { newsletter, newsletterId } = useViewer();
  const router = useRouter();
  const added = addedBy(plan.counts);
  const left = plan.counts.new_unsubscribed;
  const { ask, question } = useMailQuestion(plan);
  const form = useServerForm({ source: "", wording: "", agreed: false }, async ({ agreed, ...consent }) => {
    if (!agreed && added > 0) throw notAgreed();
    if (consent.source.trim() !== "" && !(await ask())) return;
    const { id } = await session.commit({ ...consent, people: added });
    router.push(`/n/${newsletterId}/imports/${id}`);
  });
  if (storedBy(plan.counts) === 0)
    return <Text c="dimmed">Everyone on this list is already known, so there is nothing to add.</Text>;
  return (
    <Form form={form} submit={addWords(added, left)} className={styles.commit}>
      {added > 0 ? (
        <ConsentFields form={form} added={added} newsletter={newsletter.name} />
      ) : (
        <TextInput
          label="Where is this list from?"
          placeholder="Export from our previous newsletter service"
          autoComplete="off"
          maxLength={200}
          {...form.getInputProps("source")}
        />
      )}
      {question}
    </Form>
  );
}

/** "Add 180 people and 12 opt-outs" */
function addWords(added: number, left: number): string {
  if (added === 0) return `Add ${people(left)} as unsubscribed`;
  return `Add ${people(added)}${left > 0 ? ` and ${counted(left, "opt-out")}` : ""}`;
}

/** The question before an import that mails more than one person. `ask` resolves to the answer; to yes when it mails fewer. */
function useMailQuestion({ importId, counts }: CheckedPlan) {
  const [answer, setAnswer] = useState<((yes: boolean) => void) | null>(null);
  const ask = async () => {
    if (counts.new_pending < 2) return true;
    const yes = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
    setAnswer(null);
    return yes;
  };
  const others = outcomeLines({ ...counts, new_pending: 0 }, "will");
  const question = answer && (
    <MailingQuestion
      kind="import"
      of={{ importId }}
      verb={(mails) => `Add ${people(addedBy(counts))} and send ${mails}`}
      others={others.map(({ number, text }) => `${count(number)} ${text}`)}
      busy={false}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    />
  );
  return { ask, question };
}
