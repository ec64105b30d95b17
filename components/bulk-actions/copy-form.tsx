import { NativeSelect, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CopyKind } from "@/server/contract/bulk-actions";
import type { CopyPlan } from "@/server/contract/copy-people";
import { ConsentFields, notAgreed } from "../imports/consent-fields";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Dialog } from "../ui/dialog";
import { rejectionOf } from "../ui/error-of";
import { Form, Problem, useServerForm } from "../ui/form";
import { count, people } from "../ui/numbers";
import styles from "./bulk-actions.module.css";
import { addedThere, afterText, attributesText, copyLines, copyVerbs, leavingText } from "./copy-words";
import { type BulkSelection, useOutcome } from "./use-bulk-action";

type Props = {
  kind: CopyKind;
  target: BulkSelection;
  selected: number;
  /** Whose people they are, for the question: " of the segment VIPs", or nothing. */
  from: string;
  onStarted(): void;
  onClose(): void;
};

/** Those that people can be copied to. */
export function useOtherNewsletters() {
  const { newsletterId, newsletters } = useViewer();
  return newsletters.filter(({ id, archivedAt }) => id !== newsletterId && archivedAt === null);
}

/** Copies or moves people to another newsletter: to which, who agreed to it, and in numbers what will happen. */
export function CopyForm({ kind, target, selected, from, onStarted, onClose }: Props) {
  const { newsletterId, newsletter } = useViewer();
  const others = useOtherNewsletters();
  const tell = useOutcome();
  const start = api.bulkActions.copy.useMutation();
  const only = others.length === 1 ? others[0]?.id : undefined;
  const initial = { to: only ?? "", how: "ask", source: "", wording: "", agreed: false };
  const form = useServerForm(initial, async ({ to, agreed, source, wording }) => {
    if (isStated && !agreed) throw notAgreed();
    const consent = isStated ? { source, wording, people: plan.data?.active ?? 0 } : null;
    try {
      tell(await start.mutateAsync({ newsletterId, kind, to, consent, target }));
    } catch (error) {
      if (rejectionOf(error).errors.people) {
        // What was agreed to is another number by now.
        form.setFieldValue("agreed", false);
        void plan.refetch();
      }
      throw error;
    }
    onStarted();
    onClose();
  });
  const { to, how } = form.values;
  const plan = useCopyPlan(to, target);
  const names = { here: newsletter.name, there: others.find(({ id }) => id === to)?.name ?? "it" };
  const isStated = how === "agreed" && (plan.data?.active ?? 0) > 0;
  const added = plan.data ? plan.data.active + plan.data.pending : 0;
  const verb = copyVerbs[kind];
  return (
    <Dialog onClose={onClose} title={`${verb(people(selected))}${from} to another newsletter?`}>
      <Form form={form} submit={verb(plan.data ? people(added) : "them")} disabled={added === 0} atEnd>
        <NativeSelect
          label="Newsletter"
          data={[
            ...(only === undefined ? [{ value: "", label: "Choose a newsletter" }] : []),
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          data-autofocus
          {...form.getInputProps("to")}
          onChange={(event) => form.setValues({ to: event.currentTarget.value, agreed: false })}
        />
        {(plan.data?.active ?? 1) > 0 && (
          <Radio.Group label={`Those who are active on ${names.here}`} {...form.getInputProps("how")}>
            <Stack gap="xs" mt={4}>
              <Radio value="ask" label="Ask them to confirm" />
              <Radio value="agreed" label={`They agreed to get ${names.there}, too`} />
            </Stack>
          </Radio.Group>
        )}
        {isStated && <ConsentFields form={form} added={plan.data?.active ?? 0} newsletter={names.there} />}
        {plan.data && <Outcome plan={plan.data} kind={kind} agreed={isStated} {...names} />}
        {plan.isLoading && <p>Counting …</p>}
        {plan.error && <Problem>{rejectionOf(plan.error).message}</Problem>}
      </Form>
    </Dialog>
  );
}

/** What it would do, counted once for each newsletter that is chosen. */
function useCopyPlan(to: string, target: BulkSelection) {
  const { newsletterId } = useViewer();
  const { client } = api.useUtils();
  return useQuery({
    queryKey: ["copy plan", newsletterId, to, target],
    queryFn: () => client.bulkActions.planCopy.mutate({ newsletterId, to, target }),
    enabled: to !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

type OutcomeProps = { plan: CopyPlan; kind: CopyKind; agreed: boolean; here: string; there: string };

/** What will happen, in numbers and in words. */
function Outcome({ plan, kind, agreed, here, there }: OutcomeProps) {
  const { sends } = useViewer();
  const { active, pending } = addedThere(plan, agreed);
  const lines = copyLines(plan, { agreed, sends, here, there });
  return (
    <div aria-live="polite" className={styles.outcome}>
      <h2>What will happen</h2>
      <ul>
        {lines.map(({ key, number, text }) => (
          <li key={key}>
            <b>{count(number)}</b> {text}
          </li>
        ))}
      </ul>
      {active + pending > 0 && (
        <>
          {pending > 1 && sends && <p>{leavingText(plan, there)}</p>}
          <p>{attributesText(plan, there)}</p>
          <p>{afterText(kind, { here, there })}</p>
        </>
      )}
    </div>
  );
}
