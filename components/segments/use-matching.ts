import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { Filter } from "@/server/subscribers/schema/filter";
import { useViewer } from "../shell/viewer";
import { api, rejectionOf } from "../trpc";
import { conditionErrors } from "./drafts";

const TYPING_MS = 300;

/**
 * Counts the people in a segment during editing. The previous count stays until the new one arrives.
 * @param filter undefined while a condition is not complete
 */
export function useMatching(filter: Filter | undefined) {
  const t = useTranslations("segments.editor");
  const { newsletterId } = useViewer();
  const text = JSON.stringify(filter ?? null);
  const [asked] = useDebouncedValue(text, TYPING_MS);
  const { data, error, isPlaceholderData } = api.people.matching.useQuery(
    { newsletterId, filter: { filters: [JSON.parse(asked) as Filter] } },
    {
      enabled: asked !== "null",
      placeholderData: keepPreviousData,
      trpc: { context: { apart: true } },
    },
  );
  const { errors, message } = error ? rejectionOf(error) : { errors: {}, message: null };
  const byCondition = conditionErrors(Object.entries(errors).map(([path, [first = ""]]) => [path, first]));
  const isCurrent = asked === text;
  return {
    people: data?.people ?? null,
    isStale: isPlaceholderData || !isCurrent || error !== null,
    errors: isCurrent ? byCondition : {},
    /** The reason for a missing count. */
    problem:
      isCurrent && message !== null
        ? Object.keys(byCondition).length > 0
          ? t("notCounted")
          : message
        : null,
  };
}
