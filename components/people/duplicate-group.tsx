import { Checkbox, Radio } from "@mantine/core";
import { suppressionWords } from "@/server/contract/suppressions";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import kit from "../ui/kit.module.css";
import { people as peopleIn } from "../ui/numbers";
import { StatusPill } from "../ui/status";
import { Time } from "../ui/time";
import { Tags } from "./attribute-text";
import styles from "./duplicates.module.css";

export type DuplicateGroup = Outputs["people"]["duplicates"]["groups"][number];
type Duplicate = DuplicateGroup["people"][number];

/** Whom to keep, and whether the group is merged at all. */
export type GroupChoice = { keep: string; leaveOut: boolean };

type Props = { group: DuplicateGroup; choice: GroupChoice; onChoose(choice: GroupChoice): void };

/** People who are one person by their addresses, and whom to keep. */
export function DuplicateGroupCard({ group: { people, more }, choice, onChoose }: Props) {
  const { mayEdit } = useViewer();
  const { keep, leaveOut } = choice;
  const all = people.length + more;
  return (
    <fieldset className={styles.group} data-out={leaveOut || undefined}>
      <legend className="sr">{people.find(({ id }) => id === keep)?.email}: whom to keep</legend>
      {mayEdit ? (
        <Checkbox
          checked={!leaveOut}
          onChange={(event) => onChoose({ keep, leaveOut: !event.currentTarget.checked })}
          label={`Merge ${peopleIn(people.length)} into the one that is kept`}
          mb={4}
        />
      ) : (
        <p className={kit.quiet}>{peopleIn(all)}</p>
      )}
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <span className={styles.who}>
              {mayEdit ? (
                <Radio
                  name={people[0]?.id ?? ""}
                  checked={person.id === keep}
                  disabled={leaveOut}
                  onChange={() => onChoose({ keep: person.id, leaveOut })}
                  label={<Who person={person} />}
                />
              ) : (
                <Who person={person} />
              )}
            </span>
            <StatusPill status={person.status} />
            <span>
              <Tags tags={person.tags ?? []} />
            </span>
            <span className={styles.added}>
              <Time at={person.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={kit.quiet}>And {peopleIn(more)} more: they are listed once these are merged.</p>
      )}
    </fieldset>
  );
}

const Who = ({ person: { email, name, suppression } }: { person: Duplicate }) => (
  <>
    {email}
    {name !== "" && <small>{name}</small>}
    {suppression && <small>Not written to: {suppressionWords[suppression].toLowerCase()}</small>}
  </>
);
