import { useViewer } from "../shell/viewer";
import { api } from "../trpc";

/** The newsletter's saved segments, by name. The page's initial segments serve until the first fetch. */
export function useSegments() {
  const { newsletterId, segments } = useViewer();
  return api.segments.list.useQuery({ newsletterId }, { initialData: segments }).data;
}
