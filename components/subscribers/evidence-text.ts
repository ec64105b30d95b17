import type { StoredEvidence } from "@/server/imports/schema/imports";
import type { Language } from "@/server/kernel/languages";
import type { Texts } from "../texts/texts";
import { dateLocales } from "../ui/time";

type EvidenceTexts = Texts<"people.evidence">;
/** The context for writing evidence: texts, language, and a time zone if it differs from the reader's. */
type Writing = { t: EvidenceTexts; language: Language; timeZone?: string };

/** Describes stored consent evidence: from a sign-up page, another newsletter or an imported list. */
export function evidenceTexts(
  { agreed, copied, copiedTo: _, ...list }: StoredEvidence,
  writing: Writing,
): string[] {
  const { t } = writing;
  const texts: string[] = [];
  if (agreed) {
    texts.push(t("agreed", { wording: agreed.wording, version: agreed.version }));
    texts.push(agreed.from ? t("formOn", { page: agreed.from }) : t("pageAt", { page: agreed.page }));
  }
  if (copied) {
    const { newsletter, confirmedAt } = copied;
    const added = momentText(copied.addedAt, writing);
    texts.push(
      confirmedAt
        ? t("copiedConfirmed", { newsletter, added, confirmed: momentText(confirmedAt, writing) })
        : t("copied", { newsletter, added }),
    );
  }
  if (Object.keys(list).length > 0) texts.push(listEvidence(list, writing));
  return texts;
}

const momentText = (time: string, { language, timeZone }: Writing) =>
  new Intl.DateTimeFormat(dateLocales[language], {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  }).format(new Date(time));

/** Describes imported evidence: "The list says: opted in 1 Jan 2024, 10:00, from 1.2.3.4, through “Footer”". */
export function listEvidence(
  { optedInAt, confirmedAt, ip, source, left }: StoredEvidence,
  writing: Writing,
): string {
  const { t } = writing;
  const facts = [
    optedInAt && t("fact.optedIn", { time: momentText(optedInAt, writing) }),
    confirmedAt && t("fact.confirmed", { time: momentText(confirmedAt, writing) }),
    ip && t("fact.ip", { ip }),
    source && t("fact.source", { source }),
    left &&
      (left.at
        ? t(`leftAt.${left.reason}`, { time: momentText(left.at, writing) })
        : t(`left.${left.reason}`)),
  ];
  return t("list", { facts: facts.filter(Boolean).join(", ") });
}
