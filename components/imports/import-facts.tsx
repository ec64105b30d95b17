import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { countAdded, type ImportRecord } from "@/server/imports/schema/imports";
import kit from "../ui/kit.module.css";
import { Time } from "../ui/time";
import { answerSentences } from "./answer-words";

/** Shows the importer, the source and the stated consent. */
export function ImportFacts({ record }: { record: ImportRecord }) {
  const t = useTranslations("imports");
  const added = countAdded(record.counts);
  const { by, startedAt, createdAt, fileName, consent, statusRule, answers, undoUntil } = record;
  const who = (
    <>
      {by ?? t("formerStaff")}, <Time at={startedAt ?? createdAt} />
    </>
  );
  const facts: [term: string, description: ReactNode][] = [
    [t("facts.importedBy"), who],
    [t("facts.list"), fileName ?? t("facts.pasted")],
    [added > 0 ? t("facts.consentSource") : t("facts.listSource"), consent?.source],
    [t("facts.wording"), consent?.wording],
    [t("facts.rule"), added > 0 && t(`rules.${statusRule}`)],
    [t("facts.answers"), answerSentences(answers, t).join("\n")],
    [t("facts.undoUntil"), undoUntil && <Time at={undoUntil} />],
  ];
  return (
    <section aria-label={t("facts.title")}>
      <h2>{t("facts.title")}</h2>
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
