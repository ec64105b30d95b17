import { Button } from "@mantine/core";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import { count } from "../ui/numbers";
import styles from "./people.module.css";
import { PAGE_SIZE, type PeopleView } from "./view-state";

type Props = {
  view: PeopleView;
  page: Outputs["people"]["page"] | undefined;
  total: Outputs["people"]["matching"] | undefined;
};

/** Which rows these are, and the way to the others. */
export function Pager({ view, page, total }: Props) {
  if (!page || (page.after === null && page.before === null)) return null;
  // Whoever this page was to stand beside may be gone; then it is the first.
  const first = page.before === null ? 1 : (view.page - 1) * PAGE_SIZE + 1;
  const last = first + page.people.length - 1;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className={styles.shown}>
        {count(first)}–{count(last)}
        {total && ` of ${count(total.people)}`}
      </span>
      <Button
        variant="default"
        leftSection={<icons.left />}
        disabled={page.before === null}
        onClick={() => {
          // The second page goes back to the very beginning, where who has joined since stands too.
          const to = view.page <= 2 || page.before === null ? null : { before: page.before };
          void view.turn(to, view.page - 1);
        }}
      >
        Previous
      </Button>
      <Button
        variant="default"
        rightSection={<icons.right />}
        disabled={page.after === null}
        onClick={() => page.after && void view.turn({ after: page.after }, view.page + 1)}
      >
        Next
      </Button>
    </nav>
  );
}
