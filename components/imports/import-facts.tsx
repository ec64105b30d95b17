import type { ReactNode } from "react";
import { addedBy, type ImportRecord } from "@/server/contract/imports";
import kit from "../ui/kit.module.css";
import { Time } from "../ui/time";
import { answerSentences } from "./answer-words";
import { ruleWords } from "./import-words";

/** Who imported what, and on whose word. */
export function ImportFacts({ record }: { record: ImportRecord }) {
  const added = addedBy(record.counts);
  const { by, startedAt, createdAt, fileName, consent, statusRule, answers, undoUntil } = record;
  const who = (
    <>
      {by ?? "Former staff member"}, <Time at={startedAt ?? createdAt} />
    </>
  );
  const facts: [term: string, description: ReactNode][] = [
    ["Imported by", who],
    ["List", fileName ?? "Pasted"],
    [added > 0 ? "Consent source" : "List source", consent?.source],
    ["Consent wording", consent?.wording],
    ["Status of new people", added > 0 && ruleWords[statusRule]],
    ["Answers", answerSentences(answers).join("\n")],
    ["Undo until", undoUntil && <Time at={undoUntil} />],
  ];
  return (
    <section aria-label="About this import">
      <h2>About this import</h2>
      <dl className={kit.facts}>
        {facts
          .filter(([, description]) => description)
          .map(([term, description]) => (
            <div key={term} style={{ display: "contents" }}>
              <dt>{term}</dt>
              <dd style={{ whiteSpace: "pre-wrap" }}>{description}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
