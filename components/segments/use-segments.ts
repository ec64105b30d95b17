import { useViewer } from "../shell/viewer";
import { api } from "../trpc";

/** The newsletter's saved segments, by name: those of when the page was opened until they are read again. */
export function useSegments() {
  const { newsletterId, segments } = useViewer();
  return api.segments.list.useQuery({ newsletterId }, { initialData: segments }).data;
}
