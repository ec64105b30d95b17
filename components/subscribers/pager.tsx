import { Button, Group, Text } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import type { PeopleView } from "./view-state";

const PAGE_SIZE = 100;

type Props = {
  view: PeopleView;
  page: Outputs["people"]["page"];
  /** Number of matching people; null during counting. */
  total: number | null;
};

/** Shows the range of rows and the buttons for other pages. */
export function Pager({ view, page, total }: Props) {
  const t = useTranslations("people.pager");
  const { next: after, previous: before, items: people } = page;
  if (after === null && before === null) return null;
  // The page number in the address is outdated when all earlier people are gone. Then this is the first page.
  const first = before === null ? 1 : (view.page - 1) * PAGE_SIZE + 1;
  const last = first + people.length - 1;
  return (
    <Group component="nav" gap="xs" mt="sm" aria-label={t("label")}>
      <Text component="span" fz="sm" c="dimmed" mr="auto">
        {total === null ? t("range", { first, last }) : t("rangeOf", { first, last, total })}
      </Text>
      <Button
        variant="default"
        leftSection={<icons.left />}
        disabled={before === null}
        // The second page leads back to the very beginning, which includes people added meanwhile.
        onClick={() => void view.turn(view.page <= 2 || before === null ? null : { before }, view.page - 1)}
      >
        {t("previous")}
      </Button>
      <Button
        variant="default"
        rightSection={<icons.right />}
        disabled={after === null}
        onClick={() => after && void view.turn({ after }, view.page + 1)}
      >
        {t("next")}
      </Button>
    </Group>
  );
}
