import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { notify, notifyError, notifyRunning } from "../ui/notify";
import { saveFile } from "../ui/save-file";
import type { Offer } from "../ui/verbs";
import type { ExportedPerson } from "./export";
import type { PeopleView } from "./view-state";

/** Chosen people, or all people who match a filter. */
type Exported = { ids: string[] } | { filter: PeopleView["filter"] };

type People = ReturnType<typeof api.useUtils>["client"]["people"];
/** `links`: includes each person's unsubscribe link. */
type Input = { newsletterId: string; links: boolean };

/** Fetches the people, 1,000 at a time. @param say receives the number of fetched people */
async function readAll(people: People, exported: Exported, input: Input, say: (read: number) => void) {
  if ("ids" in exported) return people.exportChosen.mutate({ ...input, ids: exported.ids });
  const { filter } = exported;
  const found: ExportedPerson[] = [];
  let after: string | null = null;
  do {
    const page: Outputs["people"]["export"] = await people.export.mutate({ ...input, filter, after });
    found.push(...page.items);
    after = page.next;
    say(found.length);
  } while (after);
  return found;
}

/** The export actions. A message shows the progress. */
export function useExport(exported: Exported): { offers: Offer[]; busy: boolean } {
  const t = useTranslations("people.export");
  const { newsletterId } = useViewer();
  const { client } = api.useUtils();
  const [busy, setBusy] = useState(false);

  /** Fetches the people and saves the file. */
  async function write(format: "csv" | "json", links: boolean, say: (read: number) => void) {
    const found = await readAll(client.people, exported, { newsletterId, links }, say);
    // Loaded on demand: writing tags needs a part of the list parser.
    const { toCsv, toJson } = await import("./export");
    const day = new Date().toISOString().slice(0, 10);
    if (format === "csv") {
      const fields = await client.fields.list.query({ newsletterId });
      const keys = fields.map(({ key }) => key);
      saveFile(`people-${day}.csv`, "text/csv", toCsv(found, keys));
    } else saveFile(`people-${day}.json`, "application/json", toJson(found));
    notify(t("done", { n: found.length }));
  }

  async function save(format: "csv" | "json", links = false) {
    if (busy) return;
    setBusy(true);
    try {
      // No progress is shown until staff have signed in again.
      await client.own.checkRecentSignIn.query();
      const { update, hide } = notifyRunning(t("running"));
      await write(format, links, (n) => update(t("progress", { n }))).finally(hide);
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    offers: [
      { verb: "exportCsv", run: () => void save("csv") },
      { verb: "exportLinks", run: () => void save("csv", true) },
      { verb: "exportJson", run: () => void save("json") },
    ],
  };
}
