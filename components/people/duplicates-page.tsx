"use client";
import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { bulkUndoHours } from "@/server/contract/spans";
import { useOutcome } from "../bulk-actions/use-bulk-action";
import { useViewer } from "../shell/viewer";
import { api, type Inputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { ListPage } from "../ui/list-page";
import { count, counted, people } from "../ui/numbers";
import { Empty } from "../ui/states";
import { type DuplicateGroup, DuplicateGroupCard, type GroupChoice } from "./duplicate-group";
import styles from "./duplicates.module.css";

type Chosen = { group: DuplicateGroup; choice: GroupChoice };

const firstId = ({ people: [first] }: DuplicateGroup) => first?.id ?? "";

/** The people of chosen groups, and what becomes of them. */
function outcomeOf(chosen: Chosen[]) {
  const kept = chosen.flatMap(({ group, choice }) => group.people.filter(({ id }) => id === choice.keep));
  const others = chosen.flatMap(({ group, choice }) => group.people.filter(({ id }) => id !== choice.keep));
  const lost = chosen.filter(({ group, choice }) => {
    const isActive = ({ status, suppression }: (typeof others)[number]) =>
      status === "active" && !suppression;
    return (
      group.people.some(isActive) && !group.people.some((one) => one.id === choice.keep && isActive(one))
    );
  });
  return {
    total: kept.length + others.length,
    leaving: others.filter(({ status }) => status !== "unsubscribed").length,
    lost: lost.length,
  };
}

/** People whose addresses reach one mailbox, and the merge of those who are chosen. */
export function DuplicatesPage() {
  const { newsletterId, mayEdit } = useViewer();
  const [after, setAfter] = useState<string | null>(null);
  const [choices, setChoices] = useState<Record<string, GroupChoice>>({});
  const [asking, setAsking] = useState(false);
  // It looks at everybody, so it is not asked again unless something changes here.
  const query = api.people.duplicates.useQuery(
    { newsletterId, after },
    { gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false, trpc: { context: { apart: true } } },
  );
  const groups = query.data?.groups ?? [];
  const choiceOf = (group: DuplicateGroup) =>
    choices[firstId(group)] ?? { keep: firstId(group), leaveOut: false };
  const chosen = groups
    .map((group) => ({ group, choice: choiceOf(group) }))
    .filter(({ group, choice }) => !choice.leaveOut && group.people.length > 1);
  const verb = `Merge ${people(outcomeOf(chosen).total)} into ${count(chosen.length)}`;
  return (
    <>
      <ListPage
        title="People listed twice"
        aside={query.data && <span aria-live="polite">{counted(query.data.total, "group")}</span>}
        actions={
          mayEdit &&
          chosen.length > 0 && (
            <Button disabled={query.isFetching} onClick={() => setAsking(true)}>
              {verb} …
            </Button>
          )
        }
        tools={query.isFetching ? <Looking /> : <Intro />}
        query={query}
        empty={groups.length === 0 && query.isSuccess && <NobodyTwice />}
        footer={
          (after !== null || query.data?.after) && (
            <Group component="nav" gap="xs" mt="sm" aria-label="Pages">
              <Button variant="default" disabled={after === null} onClick={() => setAfter(null)}>
                First groups
              </Button>
              <Button
                variant="default"
                rightSection={<icons.right />}
                disabled={!query.data?.after}
                onClick={() => setAfter(query.data?.after ?? null)}
              >
                Next groups
              </Button>
            </Group>
          )
        }
      >
        {(page) => (
          <div className={styles.groups}>
            {page.groups.map((group) => (
              <DuplicateGroupCard
                key={firstId(group)}
                group={group}
                choice={choiceOf(group)}
                onChoose={(choice) => setChoices({ ...choices, [firstId(group)]: choice })}
              />
            ))}
          </div>
        )}
      </ListPage>
      {asking && <MergeQuestion chosen={chosen} verb={verb} onClose={() => setAsking(false)} />}
    </>
  );
}

/** How many are looked at, while they are. */
function Looking() {
  const { newsletterId } = useViewer();
  const counts = api.people.counts.useQuery({ newsletterId });
  const { active = 0, pending = 0, unsubscribed = 0 } = counts.data ?? {};
  const all = active + pending + unsubscribed;
  return (
    <p className={styles.intro} role="status">
      Looking through {counts.data ? people(all) : "all people"} …
    </p>
  );
}

const Intro = () => (
  <p className={styles.intro}>
    Addresses that reach one mailbox: they differ in what follows a +, or at Gmail in dots. The one that you
    keep gets the tags, fields and name that they lack; the others become unsubscribed.
  </p>
);

function NobodyTwice() {
  const { newsletterId } = useViewer();
  const back = (
    <Button variant="default" component={Link} href={`/n/${newsletterId}/people`}>
      Back to people
    </Button>
  );
  return (
    <Empty title="Nobody is listed twice" action={back}>
      People are shown here when two of their addresses reach one mailbox, as ada@gmail.com and
      a.da+news@gmail.com do.
    </Empty>
  );
}

type MergeProps = { chosen: Chosen[]; verb: string; onClose(): void };

/** Says what a merge does before it is done. */
function MergeQuestion({ chosen, verb, onClose }: MergeProps) {
  const { newsletterId } = useViewer();
  const merging = api.bulkActions.merge.useMutation();
  const tell = useOutcome();
  const { total, leaving, lost } = outcomeOf(chosen);
  const input: Inputs["bulkActions"]["merge"]["groups"] = chosen.flatMap(({ group, choice }) => {
    const seen = group.people.map(({ id, version }) => ({ id, version }));
    const keep = seen.find(({ id }) => id === choice.keep);
    return keep ? [{ keep, others: seen.filter((one) => one !== keep) }] : [];
  });
  async function merge(): Promise<void> {
    const action = await merging.mutateAsync({ newsletterId, groups: input }).catch(() => null);
    if (!action) return;
    const isWhole = action.done === total;
    tell(action, isWhole ? `${people(total)} merged into ${count(chosen.length)}.` : undefined);
    onClose();
  }
  return (
    <Confirm
      title={`${verb}?`}
      action={verb}
      busy={merging.isPending}
      error={merging.error}
      onConfirm={() => void merge()}
      onClose={onClose}
    >
      <p>
        {leaving === 0
          ? "Nobody becomes unsubscribed: the others are already."
          : `${people(leaving)} ${leaving === 1 ? "becomes" : "become"} unsubscribed, so that each gets one mail.`}
      </p>
      {lost > 0 && (
        <p>
          In {counted(lost, "group")} you keep an address that gets no newsletter, and unsubscribe one that
          does.
        </p>
      )}
      <p>
        Who is kept gets the tags, fields and name that they lack, and keeps their status. Nobody is deleted.
        You can undo it for {bulkUndoHours} hours.
      </p>
      <p className={kit.quiet}>A group in which somebody has changed meanwhile is skipped.</p>
    </Confirm>
  );
}
