import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { maxImportRows } from "@/server/imports/schema/import-counts";
import type { StatusRule } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import { Progress } from "../ui/progress";
import { useOffers } from "../ui/verbs";
import { CommitForm, PlanOutcomes } from "./commit-form";
import { sumCounts } from "./counts";
import styles from "./form.module.css";
import type { Reading } from "./reading/list-reading";
import type { CheckedPlan } from "./reading/list-worker";
import { RejectedBanner } from "./rejected-banner";
import type { ReadList } from "./use-list";

/** The plan, the consent statement and the import button. */
export default function PlanPanel({ list }: { list: ReadList }) {
  const t = useTranslations("imports");
  const accountTexts = useTranslations("imports.account");
  const { reading, plan, stale, rejection } = list;
  if (sumCounts(reading.counts, null) === 0) return null;
  return (
    <section className={styles.plan} aria-label={t("plan.title")}>
      <StatusRuleChoice list={list} />
      <Stack align="flex-start">
        {plan && <Outcome list={list} plan={plan} />}
        <Text c="dimmed">{accountSentence(reading, accountTexts)}</Text>
        {rejection?.by === "plan" && <RejectedBanner list={list} />}
        {(!plan || stale) && <Check list={list} />}
        {plan && (
          <CommitForm plan={plan} hidden={stale} onCommitted={() => list.session.committed(plan.importId)} />
        )}
      </Stack>
    </section>
  );
}

/** The check button, shown until the current list is checked. */
function Check({ list: { reading, plan, uploaded, session } }: { list: ReadList }) {
  const t = useTranslations("imports.plan");
  const { rows, counts } = reading;
  const tooMany = rows > maxImportRows;
  const mayCheck = rows > 0 && !tooMany && uploaded === null;
  const words = plan ? t("checkAgain") : t("check", { n: rows });
  const check = () => void (mayCheck && session.check());
  useOffers(t("about"), mayCheck ? [{ verb: "check", label: words, run: check }] : []);
  // The shortcut also works in the editor.
  useHotkeys([["mod+Enter", check]], [], true);
  return (
    <>
      <Text c="dimmed">
        {tooMany ? t("tooMany", { most: maxImportRows, n: rows }) : plan ? t("changed") : t("explainCheck")}
        {counts.asked > 0 && ` ${t("needAnswers", { n: counts.asked })}`}
      </Text>
      <Button variant={plan ? "default" : "filled"} onClick={check} disabled={!mayCheck}>
        {words}
      </Button>
      {uploaded !== null && (
        <div className={`${styles.commit} ${styles.step}`}>
          <Progress label={t("progress")} done={Math.round(uploaded * rows)} total={rows}>
            {uploaded < 1 ? t("uploading") : t("comparing")}
          </Progress>
        </div>
      )}
    </>
  );
}

function Outcome({ list: { stale, reading }, plan }: { list: ReadList; plan: CheckedPlan }) {
  const t = useTranslations("imports");
  const heading = useRef<HTMLHeadingElement>(null);
  // The check button is gone, so the focus moves to the plan.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each plan
  useEffect(() => heading.current?.focus({ preventScroll: true }), [plan.digest]);
  const { activeDespiteOptOut, relatedOptOuts: related, rejected } = plan;
  const { twice = 0, asked = 0 } = stale ? {} : reading.counts;
  return (
    <div className={styles.outcomes} data-stale={stale || undefined}>
      <h2 ref={heading} tabIndex={-1}>
        {t("plan.title")}
      </h2>
      <PlanOutcomes counts={plan.counts} beside={{ activeDespiteOptOut, related, rejected, twice, asked }} />
    </div>
  );
}

/** Chooses the status of new people, in one sentence with three choices. */
function StatusRuleChoice({ list: { reading, statusRule, session } }: { list: ReadList }) {
  const t = useTranslations("imports");
  const { sends } = useViewer();
  const { counts, saysStatus } = reading;
  if (counts.ready + counts.here + counts.fix + counts.asked === 0)
    return <Text c="dimmed">{counts.leaving > 0 && t("status.optOuts")}</Text>;
  const rules: StatusRule[] = saysStatus ? ["list", "pending", "active"] : ["pending", "active"];
  return (
    <Radio.Group
      label={t("status.label")}
      value={statusRule}
      onChange={(rule) => session.setStatusRule(rule as StatusRule)}
      description={explain(statusRule, reading, sends, t)}
      inputWrapperOrder={["label", "input", "description", "error"]}
    >
      <Group gap="8 20" mt={4} mb="xs">
        {rules.map((rule) => (
          <Radio key={rule} value={rule} label={t(`rules.${rule}`)} />
        ))}
      </Group>
    </Radio.Group>
  );
}

function explain(rule: StatusRule, { ownStatuses, counts }: Reading, sends: boolean, t: Texts<"imports">) {
  const { active, pending } = ownStatuses;
  const asked = sends ? t("status.mailed") : t("status.stored");
  const optOuts = counts.leaving > 0 && t("status.optOuts");
  if (rule === "active") return sentences(t("status.active"), optOuts);
  if (rule === "pending")
    return sentences(asked, active > 0 && t("status.ownIgnored", { n: active }), optOuts);
  const none = counts.ready - active - pending;
  const own = active > 0 && pending > 0 ? "both" : active > 0 ? "active" : pending > 0 ? "pending" : "nobody";
  const said =
    none > 0
      ? t(`status.ownAndNone.${own}`, { active, pending, none })
      : t(`status.own.${own}`, { active, pending });
  return sentences(said, pending + none > 0 && asked, optOuts);
}

const sentences = (...all: (string | false)[]) => all.filter(Boolean).join(" ");

/** "214 lines: 180 people, 12 of them twice; 1 header, 3 headings, 30 empty." The line counts add up. */
function accountSentence({ account, counts, peopleToFix: fix }: Reading, t: Texts<"imports.account">) {
  const { lines, people, peopleLines, header, headings, withoutAddress, empty } = account;
  const all =
    people === peopleLines ? t("people", { people }) : t("peopleOnLines", { people, lines: peopleLines });
  const some = someOf({ twice: counts.twice, fix }, t);
  const others = [
    header > 0 && t("headers", { n: header }),
    headings > 0 && t("headings", { n: headings }),
    withoutAddress > 0 && t("withoutAddress", { n: withoutAddress }),
    empty > 0 && t("empty", { n: empty }),
  ].filter(Boolean);
  const first = some ? `${all}, ${some}` : all;
  const parts = others.length > 0 ? `${first}${some ? ";" : ","} ${others.join(", ")}` : first;
  return t("lines", { n: lines, parts });
}

function someOf({ twice, fix }: { twice: number; fix: number }, t: Texts<"imports.account">): string {
  if (twice > 0 && fix > 0) return t("twiceAndToFix", { twice, fix });
  if (twice > 0) return t("twice", { twice });
  return fix > 0 ? t("toFix", { fix }) : "";
}
