import { Checkbox, Text, Textarea, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { countAdded, countStored, type OutcomeCounts } from "@/server/imports/schema/import-counts";
import { MailingQuestion } from "../mail/mailing-question";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import type { Texts } from "../texts/texts";
import { api } from "../trpc";
import { RejectedError } from "../ui/error-of";
import { Form, useServerForm } from "../ui/form";
import { forgetUnsaved, useUnsaved } from "../ui/unsaved";
import styles from "./form.module.css";
import { type Beside, besideLines, outcomeLines, outcomeText } from "./outcome-words";
import { useShowImport } from "./use-import";

type Plan = { importId: string; digest: string; counts: OutcomeCounts };
type Props = {
  plan: Plan;
  /** The list has changed since its check. The typed text stays for the next plan. */
  hidden?: boolean;
  onCommitted?(): Promise<void>;
};

/** Staff state where and in which words the people of a plan agreed, and that they agreed. Then the import starts. */
export function CommitForm({ plan, hidden, onCommitted }: Props) {
  const t = useTranslations("imports");
  const { newsletter, newsletterId } = useViewer();
  const router = useRouter();
  const { importId, digest } = plan;
  const commit = api.imports.commit.useMutation({ onSuccess: useShowImport() });
  const added = countAdded(plan.counts);
  const left = plan.counts.new_unsubscribed;
  const { ask, question } = useMailQuestion(plan);
  const form = useServerForm({ source: "", wording: "", agreed: false }, async ({ agreed, ...consent }) => {
    if (!agreed && added > 0) {
      const errors = { agreed: [t("consent.notAgreed")] };
      throw new RejectedError({ message: "", errors, code: "validation_error" });
    }
    if (consent.source.trim() !== "" && !(await ask())) return;
    await commit.mutateAsync({ newsletterId, importId, digest, consent: { ...consent, people: added } });
    await onCommitted?.();
    forgetUnsaved();
    router.push(`/n/${newsletterId}/imports/${importId}`);
  });
  useUnsaved(form.isDirty());
  // Staff agree again for the people of another plan.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each plan
  useEffect(() => {
    form.setFieldValue("agreed", false);
    form.clearErrors();
  }, [plan.digest]);
  if (countStored(plan.counts) === 0)
    return (
      <Text c="dimmed" hidden={hidden}>
        {t("plan.nothingToAdd")}
      </Text>
    );
  return (
    <Form form={form} submit={addWords(added, left, t)} hidden={hidden} className={styles.commit}>
      <TextInput
        {...form.input("source", added > 0 ? t("consent.source") : t("plan.source"))}
        placeholder={added > 0 ? t("consent.sourceExample") : t("plan.sourceExample")}
        autoComplete="off"
        maxLength={200}
      />
      {added > 0 && (
        <>
          <Textarea
            {...form.input("wording", t("consent.wording"), t("consent.wordingHint"))}
            minRows={1}
            maxRows={4}
          />
          <Checkbox
            {...form.checkbox("agreed", t("consent.agreed", { n: added, newsletter: newsletter.name }))}
          />
        </>
      )}
      {question}
    </Form>
  );
}

/** The effect of a plan on its people, one line for each outcome, and further facts. */
export function PlanOutcomes({ counts, beside }: { counts: OutcomeCounts; beside: Beside }) {
  const t = useTranslations("imports");
  const { sends } = useViewer();
  const lines = [...outcomeLines(counts, "will", { sends }), ...besideLines(beside)];
  return (
    <ul>
      {lines.map(({ key, values }) => (
        <li key={key}>{t.rich(`outcomes.${key}`, { ...values, b: bold })}</li>
      ))}
    </ul>
  );
}

/** "Add 180 people and 12 opt-outs" */
function addWords(added: number, left: number, t: Texts<"imports">): string {
  if (added === 0) return t("plan.addOptOuts", { n: left });
  return left > 0 ? t("plan.addWithOptOuts", { n: added, optOuts: left }) : t("plan.add", { n: added });
}

/**
 * The question before an import that emails more than one person. `ask` resolves to the answer, or to yes for fewer
 * emails.
 */
function useMailQuestion({ importId, counts }: Plan) {
  const t = useTranslations("imports");
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
      added={countAdded(counts)}
      others={others.map((line) => outcomeText(line, t).replace(/\.$/, ""))}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    />
  );
  return { ask, question };
}
