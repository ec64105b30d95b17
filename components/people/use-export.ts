import { useRef, useState } from "react";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { people as wordPeople } from "../ui/numbers";
import { type ExportedPerson, saveFile, toCsv, toJson } from "./export";
import type { Selection } from "./use-selection";
import type { PeopleView } from "./view-state";

/** Everybody who matches the filter, or some by their ids. */
type Exported = { selection: Pick<Selection, "all" | "ids">; filter: PeopleView["filter"] };

/** Exports those who are selected into a file, a thousand at a time; `read` says how many so far, and it can be stopped. */
export function useExport({ selection, filter }: Exported) {
  const { newsletterId } = useViewer();
  const { client } = api.useUtils();
  const [read, setRead] = useState<number | null>(null);
  const stopped = useRef(false);

  /** @param links with the unsubscribe link of each person */
  async function save(format: "csv" | "json", links = false) {
    stopped.current = false;
    const found: ExportedPerson[] = [];
    setRead(0);
    try {
      if (selection.all) {
        let after: string | null = null;
        do {
          const page: { people: ExportedPerson[]; after: string | null } = await client.people.export.mutate({
            newsletterId,
            filter,
            after,
            links,
          });
          found.push(...page.people);
          after = page.after;
          setRead(found.length);
        } while (after && !stopped.current);
      } else {
        const ids = [...selection.ids];
        found.push(...(await client.people.exportChosen.mutate({ newsletterId, ids, links })));
      }
      if (stopped.current) return;
      const day = new Date().toISOString().slice(0, 10);
      if (format === "csv") {
        const fields = await client.fields.list.query({ newsletterId });
        const keys = fields.map(({ key }) => key);
        saveFile(`people-${day}.csv`, "text/csv", toCsv(found, keys));
      } else saveFile(`people-${day}.json`, "application/json", toJson(found));
      notify(`${wordPeople(found.length)} exported.`);
    } catch (error) {
      notifyError(error);
    } finally {
      setRead(null);
    }
  }

  return { save, read, stop: () => (stopped.current = true) };
}
